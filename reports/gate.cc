// SPDX-License-Identifier: Apache-2.0
#include "reports/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "reports/printable.h"

namespace wirelaw {
namespace {

using Kind = Failure::Kind;

bool fails_run(Level level, FailOn fail_on) {
  if (is_mandatory(level)) return true;
  return fail_on == FailOn::should && (level == Level::should || level == Level::should_not);
}

// A case that failed while none of its rules did counts at the highest level.
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

// A waived rule does not count for the level of a case.
std::vector<Failure> failures_of(const Results& results, const WaiverAccount& waived) {
  std::vector<Failure> failures;
  std::unordered_set<const Rule*> seen_rules, failed_rules;
  const auto add_rule = [&](const RuleResult& one) {
    if (one.verdict != Verdict::fail || !seen_rules.insert(one.rule).second) return;
    if (!waived.rules.contains(one.rule->id)) failed_rules.insert(one.rule);
    failures.push_back({Kind::rule, std::string(one.rule->id), one.rule->level});
  };
  for (const RuleResult& one : results.rules) add_rule(one);
  std::unordered_set<std::string_view> failed_cases;
  const auto add_cases = [&](const std::vector<CaseResult>& cases) {
    for (const CaseResult& one : cases)
      if (one.verdict == Verdict::fail && failed_cases.insert(one.id).second)
        failures.push_back({Kind::test_case, one.id, level_of(one, failed_rules)});
  };
  add_cases(results.cases);
  for (const RecordedRun& run : results.runs) {
    for (const RuleResult& one : run.rules) add_rule(one);
    add_cases(run.cases);
  }
  return failures;
}

// The verdicts of this run and of recorded runs.
class VerdictsNow {
 public:
  explicit VerdictsNow(const Results& results) {
    for (const RuleResult& one : results.rules) rules_.emplace(one.rule->id, one.verdict);
    for (const CaseResult& one : results.cases) cases_.emplace(one.id, one.verdict);
    for (const RecordedRun& run : results.runs) {
      for (const RuleResult& one : run.rules)
        if (one.verdict == Verdict::fail) rules_.insert_or_assign(one.rule->id, one.verdict);
      for (const CaseResult& one : run.cases) cases_.emplace(one.id, one.verdict);
    }
  }
  // Returns the verdict, or "absent".
  std::string_view of(Kind kind, std::string_view id) const {
    const auto& verdicts = kind == Kind::rule ? rules_ : cases_;
    const auto found = verdicts.find(id);
    return found == verdicts.end() ? "absent" : to_string(found->second);
  }

 private:
  std::unordered_map<std::string_view, Verdict> rules_, cases_;
};

std::vector<Fixed> fixed_since(const Baseline& baseline, const VerdictsNow& now) {
  std::vector<Fixed> fixed;
  const auto compare = [&](Kind kind, const std::set<std::string>& before) {
    for (const std::string& id : before)
      if (const std::string_view verdict = now.of(kind, id); verdict != to_string(Verdict::fail))
        fixed.push_back({kind, id, std::string(verdict)});
  };
  compare(Kind::rule, baseline.failed_rules);
  compare(Kind::test_case, baseline.failed_cases);
  return fixed;
}

FailedFacts facts_of(const std::vector<Failure>& failures, const Results& results) {
  constexpr std::size_t kMostFindings = 10'000;  // as many as a judge keeps; beyond them, only the first of each rule
  FailedFacts facts;
  for (const Failure& one : failures)
    if (one.kind == Kind::rule) facts.rules.push_back(one.id);
  std::unordered_set<std::string_view> seen;
  const auto add_cases = [&](const std::vector<CaseResult>& cases) {
    for (const CaseResult& one : cases) {
      if (one.verdict != Verdict::fail || !seen.insert(one.id).second) continue;
      facts.cases.push_back({.id = one.id, .rules = {}});
      for (const Rule* rule : one.rules) facts.cases.back().rules.emplace_back(rule->id);
    }
  };
  const auto add_findings = [&](const std::vector<Finding>& findings) {
    for (const Finding& one : findings)
      if (one.severity == Severity::violation)
        facts.violations.push_back({std::string(one.rule->id), one.occasion.test_case});
    facts.is_full |= findings.size() >= kMostFindings;
  };
  add_cases(results.cases);
  add_findings(results.findings);
  for (const RecordedRun& run : results.runs) {
    add_cases(run.cases);
    add_findings(run.findings);
    facts.is_full |= run.findings_dropped > 0;
  }
  return facts;
}

const Waiver* waiver_of(const WaiverAccount& account, const Failure& failure) {
  const auto& waived = failure.kind == Kind::rule ? account.rules : account.cases;
  const auto found = waived.find(failure.id);
  return found == waived.end() ? nullptr : found->second;
}

void note_idle(Gate& gate, const WaiverAccount& account, const VerdictsNow& now) {
  const auto add = [&](const std::vector<const Waiver*>& waivers, bool is_expired) {
    for (const Waiver* one : waivers)
      gate.unused_waivers.push_back(
          {*one, is_expired, std::string(now.of(one->is_of_case ? Kind::test_case : Kind::rule, one->id))});
  };
  add(account.expired, true);
  add(account.unused, false);
}

}  // namespace

ExitStatus status_apart_from_output(const Gate& gate) {
  constexpr int kShellAddsToSignal = 128;
  if (gate.end == RunEnd::interrupted) return static_cast<ExitStatus>(kShellAddsToSignal + gate.signal);
  if (gate.end == RunEnd::local_resource_error) return ExitStatus::misused;
  if (gate.end == RunEnd::peer_lost || gate.end == RunEnd::peer_died) return ExitStatus::peer_lost;
  if (!gate.regressions.empty()) return ExitStatus::failed;
  return gate.end == RunEnd::complete ? ExitStatus::passed : ExitStatus::misused;
}

bool anything_concluded(const Results& results) {
  const auto concluded = [](const auto& one) {
    return one.verdict == Verdict::pass || one.verdict == Verdict::warned || one.verdict == Verdict::fail;
  };
  if (std::ranges::any_of(results.cases, concluded)) return true;
  // If no case had a result, rules that the traffic happened to keep are no test.
  return std::ranges::any_of(results.rules, [&](const RuleResult& one) {
    return results.cases.empty() ? concluded(one) : one.verdict == Verdict::fail;
  });
}

InconclusiveCases inconclusive_cases(const Results& results) {
  InconclusiveCases all;
  std::map<std::string, std::pair<const std::string*, std::size_t>> reasons;  // keys have no numbers
  for (const CaseResult& one : results.cases) {
    all.of += one.verdict != Verdict::skipped && one.verdict != Verdict::not_applicable;
    if (one.verdict != Verdict::inconclusive) continue;
    ++all.cases;
    std::string key = one.reason;
    std::erase_if(key, [](char c) { return c >= '0' && c <= '9'; });
    auto& [reason, count] = reasons.try_emplace(std::move(key), &one.reason, 0).first->second;
    if (++count > all.with_reason) {
      all.with_reason = count;
      all.reason = *reason;
    }
  }
  return all;
}

RunEnd end_with_bound(RunEnd end, const Results& results, unsigned percent) {
  const bool exceeds = end == RunEnd::complete && inconclusive_cases(results).exceeds(percent);
  return exceeds ? RunEnd::mostly_inconclusive : end;
}

Gate gate_of(const Results& results, FailOn fail_on, RunEnd end, const Baseline* baseline, int signal,
             const WaiversToday* waivers) {
  Gate gate{.fail_on = fail_on, .end = end, .has_baseline = baseline != nullptr, .signal = signal};
  WaiverAccount account;
  gate.has_waivers = waivers != nullptr;
  if (waivers) account = account_of(waivers->waivers, waivers->today, facts_of(failures_of(results, {}), results));
  for (Failure& failure : failures_of(results, account)) {
    if (const Waiver* const by = waiver_of(account, failure)) {
      gate.waived.push_back({std::move(failure), *by});
      continue;
    }
    const bool known =
        baseline && (failure.kind == Kind::rule ? baseline->failed_rules : baseline->failed_cases).contains(failure.id);
    auto& where = known ? gate.known : fails_run(failure.level, fail_on) ? gate.regressions : gate.tolerated;
    where.push_back(std::move(failure));
  }
  if (baseline || waivers) {
    const VerdictsNow now(results);
    if (baseline) gate.fixed = fixed_since(*baseline, now);
    note_idle(gate, account, now);
  }
  gate.status = status_apart_from_output(gate);
  return gate;
}

void note_output_failed(Gate& gate) {
  gate.output_failed = true;
  gate.status = ExitStatus::misused;
}

bool is_known(const Gate& gate, Failure::Kind kind, std::string_view id) {
  return std::ranges::any_of(gate.known, [&](const Failure& one) { return one.kind == kind && one.id == id; });
}

const Failure* failure_of(const Gate& gate, Failure::Kind kind, std::string_view id) {
  const auto is_it = [&](const Failure& one) { return one.kind == kind && one.id == id; };
  for (const std::vector<Failure>* some : {&gate.regressions, &gate.tolerated, &gate.known})
    if (const auto found = std::ranges::find_if(*some, is_it); found != some->end()) return &*found;
  const auto found = std::ranges::find_if(gate.waived, is_it, &Waived::failure);
  return found == gate.waived.end() ? nullptr : &found->failure;
}

const Waiver* waiver_of(const Gate& gate, Failure::Kind kind, std::string_view id) {
  const auto found = std::ranges::find_if(
      gate.waived, [&](const Waived& one) { return one.failure.kind == kind && one.failure.id == id; });
  return found == gate.waived.end() ? nullptr : &found->by;
}

std::string say(const Waiver& waiver) {
  return fmt::format("waived until {} by {}: {}{}", to_string(waiver.until), printable(waiver.owner),
                     printable(waiver.reason), waiver.link.empty() ? "" : fmt::format(" ({})", printable(waiver.link)));
}

std::string_view to_string(FailOn fail_on) {
  return fail_on == FailOn::must ? "must" : "should";
}

std::string_view to_string(RunEnd end) {
  static constexpr std::array<std::string_view, 8> kNames{
      "complete",    "input-unreadable",     "peer-lost",           "nothing-concluded",
      "interrupted", "local-resource-error", "mostly-inconclusive", "peer-died"};
  return kNames[static_cast<std::size_t>(end)];
}

std::string_view to_string(Failure::Kind kind) {
  return kind == Kind::rule ? "rule" : "case";
}

}  // namespace wirelaw
