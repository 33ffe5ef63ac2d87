// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/demand_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace wirelaw {
namespace {

bool is_idle(std::string_view verdict) {
  return verdict == "not-exercised" || verdict == "not-applicable" || verdict == "inconclusive" || verdict == "absent";
}

std::size_t group_of(std::string_view demand, std::string_view verdict) {
  if (demand == "mandatory" || demand == "conditional") return 0;
  if (demand == "recommended" || demand == "optional") return 1;
  return is_idle(verdict) ? 3 : 2;
}

// The verdicts with which a count begins, in this order.
constexpr std::string_view kVerdicts[] = {"fail", "unstable",      "waived",         "warned", "inconclusive",
                                          "pass", "not-exercised", "not-applicable", "skipped"};

class Counter {
 public:
  void add(const std::string& verdict) { ++counts_[verdict]; }
  VerdictCounts finish() const {
    VerdictCounts sorted;
    for (const std::string_view verdict : kVerdicts)
      if (const auto found = counts_.find(std::string(verdict)); found != counts_.end())
        sorted.emplace_back(for_people(found->first), found->second);
    return sorted;
  }

 private:
  static std::string for_people(std::string verdict) {
    std::ranges::replace(verdict, '-', ' ');
    return verdict;
  }
  std::map<std::string, std::size_t> counts_;
};

}  // namespace

std::array<DemandCount, 4> demand_counts(const StatementJson& rules) {
  std::array<DemandCount, 4> counts{
      {{.words = "demanded"},
       {.words = "recommended or optional"},
       {.words = "not demanded, and judged in what was sent"},
       {.words = "not demanded: for the other role, a feature that is not declared, or not visible to a tester"}}};
  std::array<Counter, 4> counters;
  for (const StatementJson& one : rules) {
    const auto verdict = one.at("verdict").get<std::string>();
    const std::size_t group = group_of(one.at("demand").get<std::string>(), verdict);
    ++counts[group].rules;
    if (group + 1 < counts.size()) counters[group].add(verdict);
  }
  for (std::size_t group = 0; group < counts.size(); ++group) counts[group].verdicts = counters[group].finish();
  return counts;
}

StatementJson cases_that_are(bool own, const StatementJson& cases) {
  StatementJson some = StatementJson::array();
  for (const StatementJson& one : cases)
    if (one.at("own") == own) some.push_back(one);
  return some;
}

VerdictCounts verdicts_of(const StatementJson& list) {
  Counter counter;
  for (const StatementJson& one : list) counter.add(one.at("verdict").get<std::string>());
  return counter.finish();
}

std::string in_words(const VerdictCounts& verdicts) {
  std::string text;
  for (const auto& [verdict, count] : verdicts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, verdict);
  return text;
}

}  // namespace wirelaw
