// SPDX-License-Identifier: Apache-2.0
#include "reports/gate.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

namespace wirelaw {
namespace {

using Kind = Failure::Kind;

bool fails_run(Level level, FailOn fail_on) {
  if (is_mandatory(level)) return true;
  return fail_on == FailOn::should && (level == Level::should || level == Level::should_not);
}

// A case that failed although none of its rules did is taken at its worst.
Level level_of(const CaseResult& one, const std::unordered_set<const Rule*>& failed_rules) {
  bool any = false;
  Level strongest = Level::may;
  for (const Rule* rule : one.rules) {
    if (!failed_rules.contains(rule)) continue;
    any = true;
    if (is_mandatory(rule->level) || strongest == Level::may) strongest = rule->level;
  }
  return any ? strongest : Level::must;
}

std::vector<Failure> failures_of(const Results& results) {
  std::vector<Failure> failures;
  std::unordered_set<const Rule*> failed_rules;
  for (const RuleResult& one : results.rules) {
    if (one.verdict != Verdict::fail) continue;
    failed_rules.insert(one.rule);
    failures.push_back({Kind::rule, std::string(one.rule->id), one.rule->level});
  }
  for (const CaseResult& one : results.cases)
    if (one.verdict == Verdict::fail) failures.push_back({Kind::test_case, one.id, level_of(one, failed_rules)});
  return failures;
}

std::vector<Mended> mended_since(const Baseline& baseline, const Results& results) {
  std::unordered_map<std::string_view, Verdict> rules, cases;
  for (const RuleResult& one : results.rules) rules.emplace(one.rule->id, one.verdict);
  for (const CaseResult& one : results.cases) cases.emplace(one.id, one.verdict);
  std::vector<Mended> mended;
  const auto compare = [&](Kind kind, const auto& before, const auto& now) {
    for (const std::string& id : before) {
      const auto found = now.find(id);
      if (found == now.end())
        mended.push_back({kind, id, "absent"});
      else if (found->second != Verdict::fail)
        mended.push_back({kind, id, std::string(to_string(found->second))});
    }
  };
  compare(Kind::rule, baseline.failed_rules, rules);
  compare(Kind::test_case, baseline.failed_cases, cases);
  return mended;
}

ExitStatus status_of(const Gate& gate) {
  if (gate.end == RunEnd::peer_lost) return ExitStatus::peer_lost;
  if (!gate.regressions.empty()) return ExitStatus::failed;
  return gate.end == RunEnd::complete ? ExitStatus::passed : ExitStatus::misused;
}

}  // namespace

bool anything_concluded(const Results& results) {
  const auto concluded = [](const auto& one) {
    return one.verdict == Verdict::pass || one.verdict == Verdict::warned || one.verdict == Verdict::fail;
  };
  return std::ranges::any_of(results.rules, concluded) || std::ranges::any_of(results.cases, concluded);
}

Gate gate_of(const Results& results, FailOn fail_on, RunEnd end, const Baseline* baseline) {
  Gate gate{.fail_on = fail_on, .end = end, .has_baseline = baseline != nullptr};
  for (Failure& failure : failures_of(results)) {
    const bool known =
        baseline && (failure.kind == Kind::rule ? baseline->failed_rules : baseline->failed_cases).contains(failure.id);
    auto& where = known ? gate.known : fails_run(failure.level, fail_on) ? gate.regressions : gate.tolerated;
    where.push_back(std::move(failure));
  }
  if (baseline) gate.mended = mended_since(*baseline, results);
  gate.status = status_of(gate);
  return gate;
}

bool is_known(const Gate& gate, Failure::Kind kind, std::string_view id) {
  return std::ranges::any_of(gate.known, [&](const Failure& one) { return one.kind == kind && one.id == id; });
}

std::string_view to_string(FailOn fail_on) {
  return fail_on == FailOn::must ? "must" : "should";
}

std::string_view to_string(RunEnd end) {
  static constexpr std::array<std::string_view, 4> kNames{"complete", "input-unreadable", "peer-lost",
                                                          "nothing-concluded"};
  return kNames[static_cast<std::size_t>(end)];
}

std::string_view to_string(Failure::Kind kind) {
  return kind == Kind::rule ? "rule" : "case";
}

}  // namespace wirelaw
