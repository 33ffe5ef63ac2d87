// SPDX-License-Identifier: Apache-2.0
#include "reports/result_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "reports/json.h"
#include "reports/json_values.h"
#include "reports/printable.h"
#include "reports/report.h"

namespace wirelaw {
namespace {

bool read(const Json& from, ResultFile::Rule& to) {
  return take(from, "id", to.id) && take(from, "protocol", to.protocol) && take(from, "level", to.level) &&
         take(from, "section", to.section) && take(from, "summary", to.summary) && take(from, "verdict", to.verdict) &&
         take(from, "exercised", to.exercised) && take(from, "failed", to.failed) && take(from, "warned", to.warned) &&
         !to.id.empty() && !to.verdict.empty();
}

bool read(const Json& from, ResultFile::Finding& to) {
  return take(from, "rule", to.rule) && take(from, "severity", to.severity) && take(from, "expected", to.expected) &&
         take(from, "actual", to.actual) && take(from, "frame", to.frame) && take(from, "offset", to.offset) &&
         take(from, "octets", to.octets) && take(from, "case", to.in_case) && take(from, "shown_by", to.shown_by) &&
         !to.rule.empty();
}

bool take_frames(const Json& from, ResultFile::Case& to) {
  const auto value = from.find("frames");
  if (value == from.end() || value->empty()) return true;
  if (!value->is_array() || value->size() != 2 || !(*value)[0].is_number_unsigned() ||
      !(*value)[1].is_number_unsigned())
    return false;
  to.first_frame = (*value)[0].get<std::uint64_t>();
  to.last_frame = (*value)[1].get<std::uint64_t>();
  return true;
}

bool read(const Json& from, ResultFile::Case& to) {
  return take(from, "id", to.id) && take(from, "protocol", to.protocol) && take(from, "verdict", to.verdict) &&
         take(from, "reason", to.reason) && take(from, "rules", to.rules) && take_frames(from, to) && !to.id.empty() &&
         !to.verdict.empty();
}

bool read(const Json& from, ResultFile::Run& to);

template <class Entry>
bool take_list(const Json& from, const char* key, std::vector<Entry>& to) {
  const auto entries = from.find(key);
  if (entries == from.end() || !entries->is_array()) return false;
  for (const Json& entry : *entries)
    if (!entry.is_object() || !read(entry, to.emplace_back())) return false;
  return true;
}

bool read(const Json& from, ResultFile::Run& to) {
  return take(from, "end", to.end) && take_list(from, "rules", to.rules) && take_list(from, "cases", to.cases) &&
         take_list(from, "findings", to.findings);
}

// Results without a list of sources have none.
void take_inputs(const Json& from, ResultFile& to) {
  const auto input = from.find("input");
  if (input == from.end() || !input->is_object()) return;
  const auto sources = input->find("sources");
  if (sources == input->end() || !sources->is_array()) return;
  for (const Json& one : *sources)
    if (std::string name; one.is_object() && take(one, "name", name)) to.inputs.push_back(std::move(name));
}

template <class AnyResult, class ProtocolOf>
std::set<std::string> protocols_in(const AnyResult& result, const ProtocolOf& protocol_of_rule) {
  std::set<std::string> protocols;
  for (const auto& one : result.cases) protocols.insert(one.protocol);
  for (const auto& run : result.runs)
    for (const auto& one : run.cases) protocols.insert(one.protocol);
  if (protocols.empty())
    for (const auto& one : result.rules)
      if (one.exercised > 0) protocols.insert(protocol_of_rule(one));
  protocols.erase("");  // older results do not contain it
  return protocols;
}

bool take_identity(const Json& from, ResultFile& to) {
  const auto found = from.find("certification");
  if (found == from.end()) return true;
  if (!found->is_object()) return false;
  RunIdentity& one = to.identity.emplace();
  return take(*found, "id", one.certification) && take(*found, "run_id", one.run) && take(*found, "run", one.number) &&
         take(*found, "runs", one.runs) && take(*found, "product", one.product) &&
         take(*found, "version", one.version) && take(*found, "profile", one.profile) &&
         take(*found, "machine", one.machine) && take(*found, "declaration_sha256", one.declaration_sha256) &&
         take(*found, "waivers_sha256", one.waivers_sha256) && take(*found, "scripts_sha256", one.scripts_sha256);
}

bool take_gate(const Json& from, ResultFile& to) {
  const auto gate = from.find("gate");
  if (gate == from.end()) return true;
  return gate->is_object() && take(*gate, "end", to.end) && take(*gate, "exit_status", to.exit_status);
}

// Findings in old results do not name their case: it is the one whose frames contain the finding.
void name_cases(ResultFile& result) {
  for (ResultFile::Finding& finding : result.findings) {
    if (!finding.in_case.empty() || finding.frame == 0) continue;
    for (const ResultFile::Case& one : result.cases)
      if (one.first_frame <= finding.frame && finding.frame <= one.last_frame) finding.in_case = one.id;
  }
}

}  // namespace

std::set<std::string> protocols_of(const ResultFile& result) {
  return protocols_in(result, [](const ResultFile::Rule& one) { return one.protocol; });
}

std::set<std::string> protocols_of(const Results& results) {
  return protocols_in(results, [](const RuleResult& one) { return protocol_of(*one.rule); });
}

bool are_of_other_protocols(const std::set<std::string>& one, const std::set<std::string>& other) {
  return !one.empty() && !other.empty() &&
         std::ranges::none_of(one, [&](const std::string& protocol) { return other.contains(protocol); });
}

tl::expected<std::string, std::string> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  std::string text;
  std::size_t got = 0;
  char buffer[1 << 16];
  if (file)
    while ((got = std::fread(buffer, 1, sizeof buffer, file.get())) > 0) text.append(buffer, got);
  if (!file || std::ferror(file.get()))
    return tl::make_unexpected(fmt::format("{}: cannot be read: {}", printable(path), std::strerror(errno)));
  return text;
}

tl::expected<ResultFile, std::string> parse_result(const std::string& name, const std::string& json,
                                                   std::string_view hint) {
  const auto error = [&](std::string_view what) {
    return tl::make_unexpected(fmt::format("{}: {}; {}", printable(name), what, hint));
  };
  const Json document = Json::parse(json, nullptr, false);
  if (document.is_discarded()) return error("is not JSON");
  if (!document.is_object()) return error("is not a result of wirelaw");
  const auto schema = document.find("schema");
  if (schema == document.end() || *schema != kResultSchema)
    return error(fmt::format("does not say \"schema\": \"{}\"", kResultSchema));
  ResultFile result;
  if (const auto tool = document.find("tool"); tool != document.end() && tool->is_object())
    take(*tool, "version", result.version);
  if (const auto gate = document.find("gate"); gate != document.end() && gate->is_object())
    if (!take(*gate, "end", result.end) || !take(*gate, "exit_status", result.exit_status))
      return error("has no usable \"gate\"");
  take(document, "findings_dropped", result.findings_dropped);
  if (!take_list(document, "rules", result.rules)) return error("has no usable list \"rules\"");
  if (document.contains("findings") && !take_list(document, "findings", result.findings))
    return error("has no usable list \"findings\"");
  if (!take_list(document, "cases", result.cases)) return error("has no usable list \"cases\"");
  if (document.contains("runs") && !take_list(document, "runs", result.runs))
    return error("has no usable list \"runs\"");
  if (!take_gate(document, result)) return error("has no usable \"gate\"");
  if (!take_identity(document, result)) return error("has no usable \"certification\"");
  take_inputs(document, result);
  name_cases(result);
  return result;
}

tl::expected<ResultFile, std::string> read_result_file(const std::string& path, std::string_view hint) {
  const auto text = read_file(path);
  if (!text) return tl::make_unexpected(text.error());
  return parse_result(path, *text, hint);
}

}  // namespace wirelaw
