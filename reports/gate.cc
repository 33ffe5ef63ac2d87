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
  std::unordered_set<std::string_view> failed_cases;
  const auto add_cases = [&](const std::vector<CaseResult>& cases) {
    for (const CaseResult& one : cases)
      if (one.verdict == Verdict::fail && failed_cases.insert(one.id).second)
        failures.push_back({Kind::test_case, one.id, level_of(one, failed_rules)});
  };
  add_cases(results.cases);
  for (const RecordedRun& run : results.runs) {
    for (const RuleResult& one : run.rules)
      if (one.verdict == Verdict::fail && failed_rules.insert(one.rule).second)
        failures.push_back({Kind::rule, std::string(one.rule->id), one.rule->level});
    add_cases(run.cases);
  }
  return failures;
}

std::vector<Mended> mended_since(const Baseline& baseline, const Results& results) {
  std::unordered_map<std::string_view, Verdict> rules, cases;
  for (const RuleResult& one : results.rules) rules.emplace(one.rule->id, one.verdict);
  for (const CaseResult& one : results.cases) cases.emplace(one.id, one.verdict);
  for (const RecordedRun& run : results.runs) {
    for (const RuleResult& one : run.rules)
      if (one.verdict == Verdict::fail) rules.insert_or_assign(one.rule->id, one.verdict);
    for (const CaseResult& one : run.cases) cases.emplace(one.id, one.verdict);
  }
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

}  // namespace

ExitStatus status_apart_from_output(const Gate& gate) {
  constexpr int kShellAddsToSignal = 128;
  if (gate.end == RunEnd::interrupted) return static_cast<ExitStatus>(kShellAddsToSignal + gate.signal);
  if (gate.end == RunEnd::tester_lacks) return ExitStatus::misused;
  if (gate.end == RunEnd::peer_lost) return ExitStatus::peer_lost;
  if (!gate.regressions.empty()) return ExitStatus::failed;
  return gate.end == RunEnd::complete ? ExitStatus::passed : ExitStatus::misused;
}

bool anything_concluded(const Results& results) {
  const auto concluded = [](const auto& one) {
    return one.verdict == Verdict::pass || one.verdict == Verdict::warned || one.verdict == Verdict::fail;
  };
  return std::ranges::any_of(results.rules, concluded) || std::ranges::any_of(results.cases, concluded);
}

Gate gate_of(const Results& results, FailOn fail_on, RunEnd end, const Baseline* baseline, int signal) {
  Gate gate{.fail_on = fail_on, .end = end, .has_baseline = baseline != nullptr, .signal = signal};
  for (Failure& failure : failures_of(results)) {
    const bool known =
        baseline && (failure.kind == Kind::rule ? baseline->failed_rules : baseline->failed_cases).contains(failure.id);
    auto& where = known ? gate.known : fails_run(failure.level, fail_on) ? gate.regressions : gate.tolerated;
    where.push_back(std::move(failure));
  }
  if (baseline) gate.mended = mended_since(*baseline, results);
  gate.status = status_apart_from_output(gate);
  return gate;
}

void note_unwritten(Gate& gate) {
  gate.unwritten = true;
  gate.status = ExitStatus::misused;
}

bool is_known(const Gate& gate, Failure::Kind kind, std::string_view id) {
  return std::ranges::any_of(gate.known, [&](const Failure& one) { return one.kind == kind && one.id == id; });
}

std::string_view to_string(FailOn fail_on) {
  return fail_on == FailOn::must ? "must" : "should";
}

std::string_view to_string(RunEnd end) {
  static constexpr std::array<std::string_view, 6> kNames{"complete",          "input-unreadable", "peer-lost",
                                                          "nothing-concluded", "interrupted",      "tester-lacks"};
  return kNames[static_cast<std::size_t>(end)];
}

std::string_view to_string(Failure::Kind kind) {
  return kind == Kind::rule ? "rule" : "case";
}

}  // namespace wirelaw
