// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/over_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/printable.h"

namespace wirelaw {
namespace {

FailedFacts facts_of(const ResultFile& result) {
  FailedFacts facts;
  for (const ResultFile::Rule& one : result.rules)
    if (one.verdict == "fail") facts.rules.push_back(one.id);
  for (const ResultFile::Case& one : result.cases)
    if (one.verdict == "fail") facts.cases.push_back({one.id, one.rules});
  for (const ResultFile::Finding& one : result.findings)
    if (one.severity == "violation") facts.violations.push_back({one.rule, one.in_case});
  facts.is_full = result.findings.size() >= 10'000;
  return facts;
}

using Table = std::map<std::string, OverRuns, std::less<>>;

template <class Entries>
void note(const Entries& entries, std::size_t run, std::size_t runs, Table& table) {
  for (const auto& one : entries) {
    OverRuns& over = table[one.id];
    over.verdicts.resize(runs, std::string(kAbsent));
    over.verdicts[run] = one.verdict;
  }
}

// Returns the waiver of a rule or case if each run in which it fails waives it; nullptr otherwise.
const Waiver* waiver_of(const std::string& id, bool is_case, const OverRuns& over,
                        const std::vector<WaiverAccount>& accounts) {
  const Waiver* by = nullptr;
  for (std::size_t run = 0; run < accounts.size(); ++run) {
    if (over.verdicts[run] != "fail") continue;
    const auto& waived = is_case ? accounts[run].cases : accounts[run].rules;
    const auto found = waived.find(id);
    if (found == waived.end()) return nullptr;
    by = found->second;
  }
  return by;
}

}  // namespace

std::size_t OverRuns::count(std::string_view which) const {
  return static_cast<std::size_t>(std::ranges::count(verdicts, which));
}

std::string OverRuns::said() const {
  if (std::ranges::adjacent_find(verdicts, std::ranges::not_equal_to{}) == verdicts.end())
    return fmt::format("{} in {}{}", verdicts.empty() ? std::string("nothing") : verdicts.front(),
                       verdicts.size() > 1 ? "all " : "", counted(verdicts.size(), "run"));
  std::map<std::string, std::size_t> counts;
  for (const std::string& one : verdicts) ++counts[one];
  std::string text;
  for (const auto& [which, times] : counts) text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", which, times);
  return fmt::format("unstable: {} of {} runs", text, verdicts.size());
}

RunsTogether runs_together(const EvidenceSet& evidence, std::chrono::sys_days today) {
  RunsTogether all;
  const std::size_t runs = evidence.runs.size();
  std::vector<WaiverAccount> accounts(runs);
  for (std::size_t run = 0; run < runs; ++run) {
    const ResultFile& result = evidence.runs[run].result;
    note(result.rules, run, runs, all.rules);
    note(result.cases, run, runs, all.cases);
    if (evidence.waivers) accounts[run] = account_of(*evidence.waivers, today, facts_of(result));
  }
  std::vector<const Waiver*> used;
  for (const bool is_case : {false, true})
    for (auto& [id, over] : is_case ? all.cases : all.rules) {
      const bool same = std::ranges::adjacent_find(over.verdicts, std::ranges::not_equal_to{}) == over.verdicts.end();
      over.verdict = same ? over.verdicts.front() : std::string(kUnstable);
      if (!over.refuses() || !evidence.waivers) continue;
      over.waiver = waiver_of(id, is_case, over, accounts);
      if (over.waiver != nullptr && !over.waiver->holds(today)) over.waiver = nullptr;
      if (over.waiver != nullptr) used.push_back(over.waiver);
    }
  if (!evidence.waivers) return all;
  for (const Waiver& one : evidence.waivers->entries)
    (!one.holds(today) ? all.expired : std::ranges::count(used, &one) > 0 ? all.used : all.unused).push_back(&one);
  return all;
}

}  // namespace wirelaw
