// SPDX-License-Identifier: Apache-2.0
#include "reports/bottom_line.h"

#include <algorithm>

#include "reports/printable.h"

namespace wirelaw {
namespace {

// "2 MUST rules, 1 SHOULD rule and 3 cases", of the failures of one kind.
std::string say(const std::vector<Failure>& failures) {
  const auto count = [&](Failure::Kind kind, bool mandatory) {
    return static_cast<std::size_t>(std::ranges::count_if(
        failures, [&](const Failure& one) { return one.kind == kind && is_mandatory(one.level) == mandatory; }));
  };
  const std::size_t cases = count(Failure::Kind::test_case, true) + count(Failure::Kind::test_case, false);
  std::vector<std::string> parts;
  if (const auto n = count(Failure::Kind::rule, true)) parts.push_back(counted(n, "MUST rule"));
  if (const auto n = count(Failure::Kind::rule, false)) parts.push_back(counted(n, "SHOULD rule"));
  if (cases > 0) parts.push_back(counted(cases, "case"));
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

std::vector<Failure> failures_of(const std::vector<Waived>& waived) {
  std::vector<Failure> failures;
  for (const Waived& one : waived) failures.push_back(one.failure);
  return failures;
}

}  // namespace

bool anything_judged(const Results& results) {
  return std::ranges::any_of(results.rules, [](const RuleResult& one) { return one.exercised > 0; }) ||
         std::ranges::any_of(results.cases, [](const CaseResult& one) { return one.verdict != Verdict::skipped; }) ||
         std::ranges::any_of(results.runs, [](const RecordedRun& one) { return !one.cases.empty(); });
}

namespace {

std::string head_of(const Report& report) {
  const Gate& gate = report.gate;
  if (gate.end == RunEnd::interrupted)
    return gate.regressions.empty()
               ? "INTERRUPTED: not all cases were run; nothing failed in those that were"
               : fmt::format("INTERRUPTED: not all cases were run; {} failed", say(gate.regressions));
  switch (status_apart_from_output(gate)) {
    case ExitStatus::peer_lost:
      return "PEER LOST: it could not be reached, serves nothing, or died; the verdicts are incomplete";
    case ExitStatus::failed:
      return fmt::format("FAIL: {} failed{}", say(gate.regressions), gate.has_baseline ? " and not known" : "");
    case ExitStatus::misused:
      if (gate.end == RunEnd::tester_lacks)
        return fmt::format("WIRELAW LACKS FILES: it may open too few of them (ulimit -n); not all cases were run; {}",
                           gate.regressions.empty() ? "nothing failed in those that were"
                                                    : fmt::format("{} failed", say(gate.regressions)));
      if (gate.end == RunEnd::nothing_concluded)
        return "NOTHING CONCLUDED: no case passed, and nothing failed; the cases say why";
      return "INCOMPLETE: not all could be judged, see the problems with the input; nothing failed in the rest";
    case ExitStatus::passed:
      break;
  }
  if (!anything_judged(report.results)) return "NOTHING JUDGED: no rule had its chance to fail";
  return gate.tolerated.empty() && gate.known.empty() && gate.waived.empty()
             ? "PASS: nothing failed"
             : "PASS: nothing failed that fails the run";
}

}  // namespace

std::string bottom_line(const Report& report) {
  const Gate& gate = report.gate;
  std::string line = head_of(report);
  if (report.shard != nullptr) line = fmt::format("SHARD {} ALONE: {}", report.shard->name, line);
  if (gate.unwritten) line = "NOT ALL WRITTEN: an output could not be written; " + line;
  if (!gate.waived.empty()) line += fmt::format("; waived: {}", say(failures_of(gate.waived)));
  if (const auto expired = std::ranges::count_if(gate.idle, &IdleWaiver::is_expired); expired > 0)
    line += fmt::format("; expired: {}", counted(static_cast<std::uint64_t>(expired), "waiver"));
  if (!gate.known.empty()) line += fmt::format("; known: {}", say(gate.known));
  if (!gate.tolerated.empty())
    line += fmt::format("; below --fail-on {}: {}", to_string(gate.fail_on), say(gate.tolerated));
  if (gate.status == ExitStatus::failed && gate.end == RunEnd::input_unreadable)
    line += "; not all could be judged, see the problems with the input";
  for (const RecordedRun& run : report.results.runs)
    if (run.end != to_string(RunEnd::complete))
      line += fmt::format("; a recorded run did not come to its end: {}", printable(run.end));
  return line + fmt::format(" (exit status {})", static_cast<int>(gate.status));
}

}  // namespace wirelaw
