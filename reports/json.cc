// SPDX-License-Identifier: Apache-2.0
#include "reports/json.h"

#include <nlohmann/json.hpp>
#include <numeric>

#include "reference/octets/hex.h"
#include "reports/html/conversation.h"
#include "reports/provenance.h"
#include "reports/ruling.h"
#include "reports/run_identity.h"

namespace wirelaw {
namespace {

using Json = nlohmann::ordered_json;

// Malformed UTF-8 (for example in a file's name) becomes U+FFFD.
std::string dumped(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_of(const Input& input) {
  return {{"name", input.name},
          {"frames", input.frames},
          {"octets", input.octets},
          {"completeness", to_string(input.completeness)},
          {"why", input.why}};
}

Json json_of(const RuleResult& one) {
  return {{"id", one.rule->id},
          {"protocol", protocol_of(*one.rule)},
          {"level", to_string(one.rule->level)},
          {"section", one.rule->section},
          {"summary", one.rule->summary},
          {"observable", to_string(one.rule->observable)},
          {"evidence", to_string(one.rule->evidence)},
          {"verdict", to_string(one.verdict)},
          {"exercised", one.exercised},
          {"failed", one.failed},
          {"warned", one.warned},
          {"held_back", one.held_back},
          {"inconclusive", one.inconclusive},
          {"reason", one.reason}};
}

Json json_of(const FindingPlace& one) {
  Json place{{"frame", one.frame}, {"length", one.length}};
  if (one.frame_offset > 0) place["offset"] = one.frame_offset;
  return place;
}

Json json_of(const Finding& one) {
  Json finding{{"rule", one.rule->id},
               {"protocol", protocol_of(*one.rule)},
               {"level", to_string(one.rule->level)},
               {"severity", to_string(one.severity)},
               {"evidence", to_string(one.evidence)},
               {"held_back", one.held_back},
               {"flow", one.flow},
               {"sender", one.sender},
               {"message", one.message},
               {"unanswered", one.unanswered},
               {"frame", one.frame},
               {"offset", one.offset},
               {"length", one.length},
               {"octets", to_hex(one.octets)},
               {"expected", one.expected},
               {"actual", one.actual},
               {"explanation", one.explanation},
               {"shown_by", one.shown_by_case ? "case" : "trace"}};
  if (const std::string ruling = ruling_of(one); !ruling.empty()) finding["ruling"] = ruling;
  if (!one.occasion.test_case.empty()) finding["case"] = one.occasion.test_case;
  if (!one.occasion.control.empty()) finding["control"] = one.occasion.control;
  if (!one.places.empty()) {
    finding["places"] = Json::array();
    for (const FindingPlace& place : one.places) finding["places"].push_back(json_of(place));
  }
  return finding;
}

Json json_of(const CaseResult& one) {
  Json rules = Json::array();
  for (const Rule* rule : one.rules) rules.push_back(rule->id);
  Json frames = Json::array();
  if (one.first_frame > 0) frames = {one.first_frame, one.last_frame};
  return {{"id", one.id},
          {"protocol", one.protocol},
          {"purpose", one.purpose},
          {"rules", std::move(rules)},
          {"verdict", to_string(one.verdict)},
          {"reason", one.reason},
          {"duration_ms", static_cast<double>(one.duration_ns / 1000) / 1000.0},
          {"frames", std::move(frames)}};
}

Json json_of(const FlowResult& one) {
  Json flow{{"id", one.id},         {"protocol", one.protocol},      {"messages", one.messages},
            {"octets", one.octets}, {"state", to_string(one.state)}, {"completeness", to_string(one.completeness)},
            {"note", one.note}};
  if (!one.missing.empty()) flow["missing"] = one.missing;
  if (!one.above.empty()) flow["upper_protocol"] = one.above;
  return flow;
}

Json json_of(const InputProblem& one) {
  return {
      {"file", one.file}, {"frame", one.frame}, {"offset", one.offset}, {"message", one.message}, {"hint", one.hint}};
}

Json json_of(const Failure& one) {
  return {{"kind", to_string(one.kind)}, {"id", one.id}, {"level", to_string(one.level)}};
}

Json json_of(const Fixed& one) {
  return {{"kind", to_string(one.kind)}, {"id", one.id}, {"verdict", one.verdict}};
}

Json json_of(const Waiver& one) {
  return {{"kind", to_string(one.is_of_case ? Failure::Kind::test_case : Failure::Kind::rule)},
          {"id", one.id},
          {"reason", one.reason},
          {"owner", one.owner},
          {"until", to_string(one.until)},
          {"link", one.link}};
}

Json json_of(const Waived& one) {
  Json waived = json_of(one.failure);
  waived["waiver"] = json_of(one.by);
  return waived;
}

Json json_of(const UnusedWaiver& one) {
  Json unused = json_of(one.waiver);
  unused["state"] = one.is_expired ? "expired" : "unused";
  unused["verdict"] = one.verdict;
  return unused;
}

Json json_of(const ReadFile& one) {
  Json file{{"name", one.name}};
  if (one.sha256.empty()) {
    file["why_no_sha256"] = one.why;
    return file;
  }
  file["octets"] = one.octets;
  file["sha256"] = one.sha256;
  return file;
}

template <class T>
Json list_of(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& one : values) list.push_back(json_of(one));
  return list;
}

Json json_of(const RecordedRun& one) {
  return {{"schema", kRunSchema},
          {"file", one.file},
          {"peer", one.peer},
          {"version", one.version},
          {"end", one.end},
          {"exit_status", one.exit_status},
          {"rules", list_of(one.rules)},
          {"cases", list_of(one.cases)},
          {"findings", list_of(one.findings)},
          {"findings_dropped", one.findings_dropped}};
}

Json json_of(const Gate& gate) {
  Json all{{"exit_status", static_cast<int>(gate.status)},
           {"fail_on", to_string(gate.fail_on)},
           {"end", to_string(gate.end)},
           {"output_failed", gate.output_failed},
           {"baseline", gate.has_baseline},
           {"regressions", list_of(gate.regressions)},
           {"tolerated", list_of(gate.tolerated)},
           {"known", list_of(gate.known)},
           {"fixed", list_of(gate.fixed)}};
  if (gate.has_waivers) {
    all["waived"] = list_of(gate.waived);
    all["unused_waivers"] = list_of(gate.unused_waivers);
  }
  return all;
}

Json json_of(const RunProvenance& one) {
  return {{"command", one.command},
          {"started", one.started},
          {"ended", one.ended},
          {"machine", one.machine},
          {"files", list_of(one.files)}};
}

Json json_of(const RunIdentity& one) {
  return {{"id", one.certification},
          {"run_id", one.run},
          {"run", one.number},
          {"runs", one.runs},
          {"product", one.product},
          {"version", one.version},
          {"profile", one.profile},
          {"machine", one.machine},
          {"declaration_sha256", one.declaration_sha256},
          {"waivers_sha256", one.waivers_sha256},
          {"scripts_sha256", one.scripts_sha256}};
}

Json json_of(const Rule* rule) {
  static constexpr std::array<std::string_view, 3> kRoles{"any", "initiator", "responder"};
  return {{"id", rule->id},
          {"protocol", protocol_of(*rule)},
          {"level", to_string(rule->level)},
          {"role", kRoles[static_cast<std::size_t>(rule->subject)]},
          {"section", rule->section},
          {"observable", to_string(rule->observable)},
          {"evidence", to_string(rule->evidence)},
          {"summary", rule->summary},
          {"note", rule->note}};
}

Json json_of(const ListedCase& one) {
  return {{"id", one.id},           {"protocol", one.protocol},       {"role", one.role},
          {"purpose", one.purpose}, {"application", one.application}, {"rules", one.rules}};
}

Json input_of(const std::vector<Input>& inputs) {
  const auto sum = [&](std::uint64_t Input::*member) {
    return std::accumulate(inputs.begin(), inputs.end(), std::uint64_t{0},
                           [&](std::uint64_t total, const Input& one) { return total + one.*member; });
  };
  return {{"sources", list_of(inputs)}, {"frames", sum(&Input::frames)}, {"octets", sum(&Input::octets)}};
}

Json dropped_as(const Results& results) {
  Json counts = Json::object();
  for (std::size_t i = 0; i < results.flows_dropped_as.size(); ++i)
    counts[std::string(to_string(static_cast<FlowState>(i)))] = results.flows_dropped_as[i];
  return counts;
}

void put_head(std::string_view schema, std::string_view version, std::string_view commit, Output& out) {
  Json tool{{"name", "wirelaw"}, {"version", version}};
  if (!commit.empty()) tool["commit"] = commit;
  out.print("{{\n  \"schema\": \"{}\",\n  \"tool\": {}", schema, dumped(tool));
}

// Writes each record separately: a long list never becomes one tree in memory.
template <class Values>
void put_list(std::string_view key, const Values& values, Output& out) {
  out.print(",\n  \"{}\": [", key);
  std::string_view separator = "\n    ";
  for (const auto& one : values) {
    out.print("{}{}", separator, dumped(json_of(one)));
    separator = ",\n    ";
  }
  out.put(std::empty(values) ? "]" : "\n  ]");
}

// A finding, with the name of its input if there are several.
struct NamedFinding {
  const Finding& finding;
  std::string_view input;
};

Json json_of(const NamedFinding& one) {
  Json finding = json_of(one.finding);
  if (!one.input.empty()) finding["input"] = one.input;
  return finding;
}

std::vector<NamedFinding> named_findings(const Report& report) {
  const auto& inputs = report.results.inputs;
  std::vector<NamedFinding> all;
  all.reserve(report.results.findings.size());
  for (const Finding& one : report.results.findings) {
    const bool is_known =
        inputs.size() > 1 && report.evidence != nullptr && all.size() < report.evidence->input_of_finding.size();
    const std::size_t input = is_known ? report.evidence->input_of_finding[all.size()] : inputs.size();
    all.push_back({one, input < inputs.size() ? std::string_view(inputs[input].name) : std::string_view()});
  }
  return all;
}

}  // namespace

void write_json(const Report& report, Output& out) {
  const Results& results = report.results;
  put_head(kResultSchema, report.version, report.commit, out);
  out.print(",\n  \"input\": {}", dumped(input_of(results.inputs)));
  out.print(",\n  \"gate\": {}", dumped(json_of(report.gate)));
  if (report.provenance != nullptr) out.print(",\n  \"provenance\": {}", dumped(json_of(*report.provenance)));
  if (report.identity != nullptr) out.print(",\n  \"certification\": {}", dumped(json_of(*report.identity)));
  if (report.shard != nullptr) out.print(",\n  \"shard\": {}", report.shard->object);
  put_list("rules", results.rules, out);
  put_list("findings", named_findings(report), out);
  out.print(",\n  \"findings_dropped\": {}", results.findings_dropped);
  put_list("cases", results.cases, out);
  put_list("runs", results.runs, out);
  put_list("flows", results.flows, out);
  out.print(",\n  \"flows_dropped\": {}", results.flows_dropped);
  out.print(",\n  \"flows_dropped_as\": {}", dumped(dropped_as(results)));
  put_list("problems", results.problems, out);
  out.print(",\n  \"problems_dropped\": {}\n}}\n", results.problems_dropped);
}

std::string json_of_run(const RecordedRun& run) {
  return json_of(run).dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

std::string json_of_identity(const RunIdentity& identity) {
  return dumped(json_of(identity));
}

void write_cases_json(std::span<const ListedCase> cases, std::string_view version, Output& out) {
  put_head(kCasesSchema, version, {}, out);
  put_list("cases", cases, out);
  out.put("\n}\n");
}

void write_rules_json(std::span<const Rule* const> rules, std::string_view version, Output& out) {
  put_head(kCatalogueSchema, version, {}, out);
  put_list("rules", rules, out);
  out.put("\n}\n");
}

}  // namespace wirelaw
