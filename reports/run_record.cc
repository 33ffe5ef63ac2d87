// SPDX-License-Identifier: Apache-2.0
#include "reports/run_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/bottom_line.h"
#include "reports/json.h"
#include "reports/json_values.h"
#include "reports/record_values.h"

namespace wirelaw {
namespace {

constexpr std::size_t kPiece = 60'000;      // octets in one pcapng option
constexpr std::size_t kMostJson = 900'000;  // the most that a reader parses
constexpr std::size_t kMostFindings = 500;  // findings in a written run

// False if the list has another form. `keep` returns false for an entry about an unknown rule.
template <class Each>
bool read_list(const Json& document, const char* key, std::uint64_t& unknown, const Each& each) {
  const auto list = document.find(key);
  if (list == document.end() || !list->is_array()) return false;
  for (const Json& one : *list) {
    if (!one.is_object()) return false;
    const auto read = each(one);
    if (!read) return false;
    unknown += *read ? 0 : 1;
  }
  return true;
}

class RunReader {
 public:
  RunReader(const Json& document, const FindRule& find) : document_(document), find_(find) {}

  bool read_all() {
    RecordedRun& run = read_.run;
    return take(document_, "peer", run.peer) && take(document_, "version", run.version) &&
           take(document_, "end", run.end) && take_count(document_, "exit_status", run.exit_status) &&
           take(document_, "findings_dropped", run.findings_dropped) &&
           list_of("rules", "id", run.rules, [](RuleResult& to) { return &to.rule; }) &&
           list_of("findings", "rule", run.findings, [](Finding& to) { return &to.rule; }) && read_cases();
  }
  ReadRun take_run() {
    for (Finding& one : read_.run.findings) {
      one.places.clear();
      one.shown_by_case = true;
    }
    return std::move(read_);
  }

 private:
  template <class Entry, class RuleOf>
  bool list_of(const char* key, const char* id_key, std::vector<Entry>& to, const RuleOf& rule_of) {
    return read_list(document_, key, read_.unknown, [&](const Json& from) -> std::optional<bool> {
      std::string id;
      Entry entry;
      if (!take(from, id_key, id) || !read(from, entry)) return std::nullopt;
      *rule_of(entry) = find_(id);
      if (*rule_of(entry) == nullptr) return false;
      to.push_back(std::move(entry));
      return true;
    });
  }
  bool read_cases() {
    return read_list(document_, "cases", read_.unknown, [&](const Json& from) -> std::optional<bool> {
      CaseResult one;
      std::vector<std::string> rules;
      if (!read(from, one) || !take(from, "rules", rules)) return std::nullopt;
      for (const std::string& id : rules)
        if (const Rule* const rule = find_(id)) one.rules.push_back(rule);
      read_.run.cases.push_back(std::move(one));
      return true;
    });
  }

  const Json& document_;
  const FindRule& find_;
  ReadRun read_;
};

RecordedRun run_of(const Results& results, const Gate& gate, std::string_view version) {
  RecordedRun run{.file = {},
                  .peer = results.inputs.empty() ? std::string() : results.inputs.front().name,
                  .version = std::string(version),
                  .end = std::string(to_string(gate.end)),
                  .exit_status = static_cast<int>(gate.status)};
  for (const RuleResult& one : results.rules)
    if (one.verdict != Verdict::not_exercised && one.verdict != Verdict::not_applicable) run.rules.push_back(one);
  run.cases = results.cases;
  for (const Finding& one : results.findings) {
    if (!one.shown_by_case) continue;
    if (run.findings.size() < kMostFindings)
      run.findings.push_back(one);
    else
      ++run.findings_dropped;
  }
  return run;
}

}  // namespace

std::vector<std::string> comments_of_run(const Results& results, const Gate& gate, std::string_view version) {
  RecordedRun run = run_of(results, gate, version);
  std::string json = json_of_run(run);
  if (json.size() > kMostJson) {
    run.findings_dropped += run.findings.size();
    run.findings.clear();
    for (CaseResult& one : run.cases) one.purpose.clear();
    json = json_of_run(run);
  }
  std::vector<std::string> comments{fmt::format("{}{}; the next comment begins its results, JSON of the schema {}",
                                                kRunMark, bottom_line(Report{results, gate, version}), kRunSchema)};
  for (std::size_t at = 0; at < json.size(); at += kPiece) comments.push_back(json.substr(at, kPiece));
  return comments;
}

bool holds_run(std::span<const std::string> comments) {
  return !comments.empty() && comments.front().starts_with(kRunMark);
}

tl::expected<ReadRun, std::string> read_run(std::span<const std::string> comments, const FindRule& find) {
  std::string json;
  for (const std::string& one : comments.subspan(std::min<std::size_t>(1, comments.size()))) json += one;
  const Json document = Json::parse(json, nullptr, false);
  if (!document.is_object()) return tl::make_unexpected(std::string("the results of its run are not JSON"));
  const auto schema = document.find("schema");
  if (schema == document.end() || *schema != kRunSchema)
    return tl::make_unexpected(fmt::format("the results of its run do not say \"schema\": \"{}\"", kRunSchema));
  auto run = read_run(document, find);
  if (!run) return tl::make_unexpected(std::string("the results of its run are not of their form"));
  return std::move(*run);
}

std::optional<ReadRun> read_run(const Json& document, const FindRule& find) {
  RunReader reader(document, find);
  if (!reader.read_all()) return std::nullopt;
  return reader.take_run();
}

}  // namespace wirelaw
