// SPDX-License-Identifier: Apache-2.0
#include "reports/sarif.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "reference/octets/hex.h"
#include "reports/html/conversation.h"
#include "reports/printable.h"
#include "reports/provenance.h"
#include "reports/ruling.h"
#include "reports/section_link.h"
#include "reports/text.h"
#include "reports/text_finding.h"

namespace wirelaw {
namespace {

using Json = nlohmann::ordered_json;

std::string_view level_of(const Rule& rule, Severity severity) {
  if (severity == Severity::warning) return "note";
  return is_mandatory(rule.level) ? "error" : "warning";
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

// For a live run, the input is the peer's URI.
bool is_peer(std::string_view input) {
  return input.find("://") != std::string_view::npos || input.starts_with("memory:");
}

class SarifLog {
 public:
  explicit SarifLog(const Report& report) : report_(report), results_(report.results) {}

  Json document() {
    Json results = Json::array();
    for (std::size_t i = 0; i < results_.findings.size(); ++i)
      results.push_back(result_of(results_.findings[i], input_of(i)));
    for (const RecordedRun& run : results_.runs)
      for (const Finding& one : run.findings) results.push_back(result_of(one, run.file));
    add_cases(results_.cases, results_.findings, first_input(), results);
    for (const RecordedRun& run : results_.runs) add_cases(run.cases, run.findings, run.file, results);
    Json driver{{"name", "wirelaw"}, {"semanticVersion", report_.version}, {"rules", std::move(rules_)}};
    Json run{{"tool", {{"driver", std::move(driver)}}},
             {"invocations", Json::array({invocation()})},
             {"artifacts", artifacts()},
             {"results", std::move(results)}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({std::move(run)})}};
  }

 private:
  std::string first_input() const { return results_.inputs.empty() ? std::string() : results_.inputs.front().name; }
  std::string input_of(std::size_t finding) const {
    const bool known = report_.evidence != nullptr && finding < report_.evidence->input_of_finding.size();
    const std::size_t input = known ? report_.evidence->input_of_finding[finding] : 0;
    return input < results_.inputs.size() ? results_.inputs[input].name : first_input();
  }

  std::size_t index_of(const Rule& rule) {
    const auto [at, is_new] = places_.try_emplace(&rule, rules_.size());
    if (!is_new) return at->second;
    Json one{
        {"id", rule.id},
        {"shortDescription", {{"text", rule.summary}}},
        {"fullDescription", {{"text", fmt::format("{} ({}, {})", rule.summary, to_string(rule.level), rule.section)}}},
        {"defaultConfiguration", {{"level", level_of(rule, Severity::violation)}}},
        {"help", {{"text", fmt::format("wirelaw explain {}", rule.id)}}},
        {"properties", {{"section", rule.section}, {"evidence", to_string(rule.evidence)}}}};
    if (const std::string link = section_link(rule.section); !link.empty()) one["helpUri"] = link;
    rules_.push_back(std::move(one));
    return at->second;
  }

  // A capture has no lines: those of `wirelaw decode` are counted, one a frame, since code scanning asks for one.
  static Json location(const std::string& input, std::uint64_t frame, std::string_view name) {
    Json one{{"physicalLocation",
              {{"artifactLocation", {{"uri", uri_reference(input)}}},
               {"region", {{"startLine", std::max<std::uint64_t>(frame, 1)}}}}}};
    if (!name.empty()) one["logicalLocations"] = Json::array({{{"fullyQualifiedName", name}}});
    return one;
  }

  Json result_of(const Finding& one, const std::string& input) {
    Json result{{"ruleId", one.rule->id},
                {"ruleIndex", index_of(*one.rule)},
                {"level", level_of(*one.rule, one.severity)},
                {"message", {{"text", fmt::format("{} ({})", one_line(one), where_of(one))}}},
                {"locations", Json::array({location(input, one.frame, printable(one.flow))})},
                {"partialFingerprints",
                 {{"wirelawFault/v1",
                   fmt::format("{}|{}|{}", one.rule->id, to_string(one.severity), printable(one.occasion.test_case))}}},
                {"properties",
                 {{"frame", one.frame},
                  {"message", one.message},
                  {"sender", one.sender},
                  {"offset", one.offset},
                  {"length", one.length},
                  {"octets", to_hex(one.octets)},
                  {"expected", one.expected},
                  {"actual", one.actual}}}};
    if (const std::string ruling = ruling_of(one); !ruling.empty()) result["properties"]["ruling"] = ruling;
    if (is_peer(input)) result["properties"]["peer"] = printable(input);
    if (one.severity == Severity::violation) suppress(Failure::Kind::rule, one.rule->id, result);
    return result;
  }

  // Failures that do not fail the run.
  void suppress(Failure::Kind kind, std::string_view id, Json& result) const {
    const Waiver* const waiver = waiver_of(report_.gate, kind, id);
    if (waiver == nullptr && !is_known(report_.gate, kind, id)) return;
    const std::string why = waiver != nullptr ? say(*waiver) : "it is in the baseline";
    result["suppressions"] = Json::array({{{"kind", "external"}, {"justification", why}}});
  }

  // The cases that failed without a violation that reports it.
  void add_cases(const std::vector<CaseResult>& cases, const std::vector<Finding>& findings, const std::string& input,
                 Json& results) {
    std::unordered_set<std::string_view> found;
    for (const Finding& one : findings)
      if (one.severity == Severity::violation) found.insert(one.occasion.test_case);
    for (const CaseResult& one : cases) {
      if (one.verdict != Verdict::fail || found.contains(one.id)) continue;
      Json result{{"ruleId", one.rules.empty() ? std::string_view("case") : one.rules.front()->id}};
      if (!one.rules.empty()) result["ruleIndex"] = index_of(*one.rules.front());
      const Failure* const failure = failure_of(report_.gate, Failure::Kind::test_case, one.id);
      result["level"] = failure != nullptr && !is_mandatory(failure->level) ? "warning" : "error";
      result["message"] = {{"text", fmt::format("case {}: {}", one.id, printable(one.reason))}};
      result["locations"] = Json::array({location(input, one.first_frame, one.id)});
      result["partialFingerprints"] = {{"wirelawFault/v1", fmt::format("case|{}", one.id)}};
      if (is_peer(input)) result["properties"] = {{"peer", printable(input)}};
      suppress(Failure::Kind::test_case, one.id, result);
      results.push_back(std::move(result));
    }
  }

  Json invocation() const {
    Json notes = Json::array();
    for (const InputProblem& one : results_.problems)
      notes.push_back({{"level", "warning"}, {"message", {{"text", one_line(one)}}}});
    const RunEnd end = report_.gate.end;
    if (end != RunEnd::complete)
      notes.push_back({{"level", "error"}, {"message", {{"text", fmt::format("the run ended: {}", to_string(end))}}}});
    Json one{{"executionSuccessful", end == RunEnd::complete && !report_.gate.output_failed},
             {"exitCode", static_cast<int>(report_.gate.status)},
             {"toolExecutionNotifications", std::move(notes)}};
    if (const RunProvenance* const of = report_.provenance) {
      one["commandLine"] = in_shell(of->command);
      one["startTimeUtc"] = of->started;
      one["endTimeUtc"] = of->ended;
      one["properties"] = {{"machine", of->machine}};
    }
    return one;
  }

  std::string sha256_of_input(const std::string& name) const {
    if (report_.provenance == nullptr) return {};
    const auto& files = report_.provenance->files;
    const auto file = std::ranges::find(files, name, &ReadFile::name);
    return file == files.end() ? std::string() : file->sha256;
  }

  Json artifacts() const {
    Json all = Json::array();
    std::unordered_set<std::string> seen;
    for (const Input& one : results_.inputs)
      if (std::string uri = uri_reference(one.name); seen.insert(uri).second) {
        all.push_back({{"location", {{"uri", uri}}}});
        if (const std::string sha256 = sha256_of_input(one.name); !sha256.empty())
          all.back()["hashes"] = {{"sha-256", sha256}};
        if (is_peer(one.name)) all.back()["description"] = {{"text", "the peer " + printable(one.name)}};
      }
    return all;
  }

  const Report& report_;
  const Results& results_;
  Json rules_ = Json::array();
  std::unordered_map<const Rule*, std::size_t> places_;
};

}  // namespace

std::string uri_reference(std::string_view input) {
  std::string uri = input.starts_with('/') ? "file://" : "";
  if (is_peer(input)) {
    const std::size_t scheme = input.find(':');
    uri += input.substr(0, scheme);
    input.remove_prefix(std::min(input.size(), input.find_first_not_of(":/", scheme)));
    if (!input.empty()) uri += '/';
  }
  for (const char c : input)
    uri += is_unreserved(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return uri;
}

void write_sarif(const Report& report, Output& out) {
  out.put(SarifLog(report).document().dump(1, ' ', false, Json::error_handler_t::replace));
  out.put("\n");
}

}  // namespace wirelaw
