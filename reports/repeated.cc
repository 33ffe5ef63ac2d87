// SPDX-License-Identifier: Apache-2.0
#include "reports/repeated.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>

namespace wirelaw {
namespace {

constexpr std::size_t kMostFindings = 10'000, kMostFlows = 10'000;
// From the worst to the least informative.
constexpr std::array kOrder{Verdict::fail,    Verdict::warned,        Verdict::inconclusive,  Verdict::pass,
                            Verdict::skipped, Verdict::not_exercised, Verdict::not_applicable};

class Tally {
 public:
  void add(Verdict verdict) { ++counts_[static_cast<std::size_t>(verdict)]; }
  Verdict worst() const {
    return *std::ranges::find_if(kOrder, [&](Verdict one) { return count(one) > 0; });
  }
  // Empty if all agree.
  std::string disagreement(std::size_t runs) const {
    if (std::ranges::count_if(counts_, [](std::size_t count) { return count > 0; }) < 2) return {};
    std::string text;
    for (const Verdict one : kOrder)
      if (count(one) > 0) text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", to_string(one), count(one));
    return fmt::format("unstable: {} of {} runs", text, runs);
  }

 private:
  std::size_t count(Verdict verdict) const { return counts_[static_cast<std::size_t>(verdict)]; }

  std::array<std::size_t, kOrder.size()> counts_{};
};

std::string joined(const std::string& disagreement, const std::string& reason) {
  if (disagreement.empty() || reason.empty()) return disagreement + reason;
  return disagreement + "; " + reason;
}

// A run that ended before it judged anything has no rules; it is then the last.
void join_rules(std::vector<Results>& runs) {
  for (std::size_t i = 0; i < runs[0].rules.size(); ++i) {
    RuleResult all{.rule = runs[0].rules[i].rule};
    Tally tally;
    std::size_t judged = 0;
    for (const Results& run : runs) {
      if (i >= run.rules.size()) continue;
      const RuleResult& one = run.rules[i];
      tally.add(one.verdict);
      ++judged;
      if (tally.worst() != all.verdict || judged == 1) all.reason = one.reason;
      all.verdict = tally.worst();
      all.exercised += one.exercised;
      all.failed += one.failed;
      all.warned += one.warned;
      all.held_back += one.held_back;
      all.inconclusive += one.inconclusive;
    }
    all.reason = joined(tally.disagreement(judged), all.reason);
    runs[0].rules[i] = std::move(all);
  }
}

void join_cases(std::vector<Results>& runs) {
  for (CaseResult& all : runs[0].cases) {
    std::vector<const CaseResult*> same;
    for (const Results& run : runs)
      if (const auto found = std::ranges::find(run.cases, all.id, &CaseResult::id); found != run.cases.end())
        same.push_back(&*found);
    Tally tally;
    for (const CaseResult* one : same) tally.add(one->verdict);
    const auto worst = std::ranges::find_if(same, [&](const CaseResult* one) { return one->verdict == tally.worst(); });
    std::string reason = joined(tally.disagreement(same.size()), (*worst)->reason);
    all.verdict = tally.worst();
    all.reason = std::move(reason);
  }
}

void join_findings(std::vector<Results>& runs) {
  Results& all = runs[0];
  std::set<std::pair<const Rule*, Severity>> seen;
  for (const Finding& one : all.findings) seen.emplace(one.rule, one.severity);
  for (std::size_t run = 1; run < runs.size(); ++run) {
    all.findings_dropped += runs[run].findings_dropped;
    for (Finding& one : runs[run].findings) {
      const bool is_first = seen.emplace(one.rule, one.severity).second;
      if (is_first || all.findings.size() < kMostFindings)
        all.findings.push_back(std::move(one));
      else
        ++all.findings_dropped;
    }
  }
}

void join_flows(std::vector<Results>& runs) {
  Results& all = runs[0];
  for (std::size_t run = 1; run < runs.size(); ++run) {
    all.flows_dropped += runs[run].flows_dropped;
    for (std::size_t i = 0; i < all.flows_dropped_as.size(); ++i)
      all.flows_dropped_as[i] += runs[run].flows_dropped_as[i];
    for (FlowResult& one : runs[run].flows) {
      if (all.flows.size() < kMostFlows) {
        all.flows.push_back(std::move(one));
        continue;
      }
      ++all.flows_dropped;
      ++all.flows_dropped_as[static_cast<std::size_t>(one.state)];
    }
  }
}

}  // namespace

Results repeated(std::vector<Results> runs) {
  join_rules(runs);
  join_cases(runs);
  join_findings(runs);
  join_flows(runs);
  Results& all = runs[0];
  for (std::size_t run = 1; run < runs.size(); ++run) {
    for (std::size_t i = 0; i < std::min(all.inputs.size(), runs[run].inputs.size()); ++i) {
      all.inputs[i].frames += runs[run].inputs[i].frames;
      all.inputs[i].octets += runs[run].inputs[i].octets;
    }
    std::ranges::move(runs[run].problems, std::back_inserter(all.problems));
    all.problems_dropped += runs[run].problems_dropped;
  }
  return std::move(all);
}

}  // namespace wirelaw
