// SPDX-License-Identifier: Apache-2.0
#include "reports/bottom_line.h"

#include <algorithm>

#include "reports/printable.h"

namespace wirelaw {
namespace {

// Counts the failures: "2 MUST rules, 1 SHOULD rule and 3 cases".
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

// "; 40 of the 42 inconclusive cases say: REASON"
std::string shared_reason(const InconclusiveCases& open) {
  if (open.cases == 0 || open.reason.empty()) return {};
  return fmt::format("; {} of the {} inconclusive cases say{}: {}", open.with_reason, open.cases,
                     open.with_reason == 1 ? "s" : "", printable(open.reason));
}

std::string what_failed(const Gate& gate, std::string_view otherwise) {
  return gate.regressions.empty() ? std::string(otherwise) : fmt::format("{} failed", say(gate.regressions));
}

std::string head_of(const Report& report) {
  const Gate& gate = report.gate;
  const InconclusiveCases open = inconclusive_cases(report.results);
  if (gate.end == RunEnd::interrupted)
    return "INTERRUPTED: some cases were not run; " + what_failed(gate, "nothing failed in the cases that were run");
  if (gate.end == RunEnd::peer_died)
    return "PEER DIED: see the cases that say so; it was restarted, and every case was run; " +
           what_failed(gate, "nothing else failed");
  switch (status_apart_from_output(gate)) {
    case ExitStatus::peer_lost:
      return fmt::format("PEER LOST: it could not be reached, serves nothing, or died; the verdicts are incomplete; {}",
                         what_failed(gate, "nothing failed until then"));
    case ExitStatus::failed:
      return fmt::format("FAIL: {} failed{}{}", say(gate.regressions), gate.has_baseline ? " and not known" : "",
                         gate.end == RunEnd::mostly_inconclusive ? shared_reason(open) : "");
    case ExitStatus::misused:
      if (gate.end == RunEnd::local_resource_error)
        return "TOO FEW FILE DESCRIPTORS: raise the limit (ulimit -n); some cases were not run; " +
               what_failed(gate, "nothing failed in the cases that were run");
      if (gate.end == RunEnd::nothing_concluded)
        return "NO VERDICT: no case passed, and nothing failed" + shared_reason(open);
      if (gate.end == RunEnd::mostly_inconclusive)
        return fmt::format(
            "INCONCLUSIVE: {} of {} cases, more than --max-inconclusive allows; nothing failed in the "
            "rest{}",
            open.cases, open.of, shared_reason(open));
      return "INCOMPLETE: some input could not be judged, see the problems with the input; nothing failed in the rest";
    case ExitStatus::passed:
      break;
  }
  return anything_judged(report.results) ? "PASS" : "NOTHING JUDGED: no rule was exercised";
}

// Failures that do not fail the run: "; waived: 1 MUST rule; known: 2 cases".
std::string excused(const Gate& gate) {
  std::string text;
  if (!gate.waived.empty()) text += fmt::format("; waived: {}", say(failures_of(gate.waived)));
  if (!gate.known.empty()) text += fmt::format("; known: {}", say(gate.known));
  if (!gate.tolerated.empty())
    text += fmt::format("; below --fail-on {}: {}", to_string(gate.fail_on), say(gate.tolerated));
  return text;
}

}  // namespace

std::string bottom_line(const Report& report) {
  const Gate& gate = report.gate;
  std::string line = head_of(report);
  std::string failed_anyway = excused(gate);
  if (line == "PASS") {  // names the excused failures before the rest
    line = failed_anyway.empty() ? "PASS: nothing failed"
                                 : "PASS, but" + failed_anyway.substr(1) + "; nothing else failed";
    failed_anyway.clear();
  }
  line += failed_anyway;
  if (report.shard != nullptr) line = fmt::format("SHARD {} ALONE: {}", report.shard->name, line);
  if (gate.output_failed) line = "OUTPUT FAILED: an output could not be written; " + line;
  if (const auto expired = std::ranges::count_if(gate.unused_waivers, &UnusedWaiver::is_expired); expired > 0)
    line += fmt::format("; expired: {}", counted(static_cast<std::uint64_t>(expired), "waiver"));
  if (gate.status == ExitStatus::failed && gate.end == RunEnd::input_unreadable)
    line += "; some input could not be judged, see the problems with the input";
  for (const RecordedRun& run : report.results.runs)
    if (run.end != to_string(RunEnd::complete))
      line += fmt::format("; a recorded run did not finish: {}", printable(run.end));
  return line + fmt::format(" (exit status {})", static_cast<int>(gate.status));
}

}  // namespace wirelaw
