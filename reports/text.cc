// SPDX-License-Identifier: Apache-2.0
#include "reports/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "reports/bottom_line.h"
#include "reports/coverage.h"
#include "reports/printable.h"
#include "reports/provenance.h"
#include "reports/text_cases.h"
#include "reports/text_faults.h"
#include "reports/text_style.h"
#include "reports/text_summary.h"

namespace wirelaw {
namespace {

// True if the cases were for another protocol, which is above this one.
bool is_below_the_cases(const Results& results, std::string_view protocol) {
  return !results.cases.empty() &&
         std::ranges::none_of(results.cases, [&](const CaseResult& one) { return one.protocol == protocol; });
}

std::string stack_of(const FlowResult& flow) {
  if (flow.protocol.empty()) return "-";
  return flow.above.empty() ? flow.protocol : flow.above + " over " + flow.protocol;
}

// Groups the rules by what would exercise them, in as few lines as the width allows. Prints only a number for rules
// that need a case if no case was run, and for protocols that were not seen, or that only carried the tested one.
void put_not_exercised(const Report& report, Output& out) {
  static constexpr std::array<std::string_view, 4> kTitles{"not exercised by the messages",
                                                           "not exercised: needs a case (wirelaw test)",
                                                           "not exercised: visible only above the wire", ""};
  if (!anything_judged(report.results)) return;
  std::array<std::string, kTitles.size()> ids;
  std::array<std::size_t, kTitles.size()> counts{};
  std::map<std::string, std::size_t> absent, below;
  const auto seen = protocols_seen(report.results);
  for (const RuleResult& one : report.results.rules) {
    if (one.verdict != Verdict::not_exercised) continue;
    if (const std::string protocol = protocol_of(*one.rule); !seen.contains(protocol)) {
      ++absent[protocol];
      continue;
    } else if (is_below_the_cases(report.results, protocol)) {
      ++below[protocol];
      continue;
    }
    const auto i = static_cast<std::size_t>(one.rule->observable);
    ids[i] += (ids[i].empty() ? "" : " ") + std::string(one.rule->id);
    ++counts[i];
  }
  for (std::size_t i = 0; i < kTitles.size(); ++i) {
    if (counts[i] == 0) continue;
    const bool no_news = i > 0 && report.results.cases.empty();
    out.print("\n{}\n  {}\n", kTitles[i],
              no_news ? counted(counts[i], "rule") : wrapped(ids[i], report.style.width, 2));
  }
  const auto list = [&](std::string_view title, const std::map<std::string, std::size_t>& counted_rules) {
    if (counted_rules.empty()) return;
    out.print("\nnot exercised: {}\n", title);
    for (const auto& [protocol, count] : counted_rules) out.print("  {}: {}\n", protocol, counted(count, "rule"));
  };
  list("rules of the protocol below, which the cases do not test", below);
  list("the protocol was not seen", absent);
}

void put_faults(const std::vector<Fault>& faults, const std::vector<Finding>& findings,
                const std::vector<RuleResult>& rules, const Report& report, const Paint& paint, Output& out) {
  for (const Fault& one : faults) put_fault(one, findings, rules, report, paint, out);
}

// Prints the findings of each rule. At least one finding was kept for each rule that failed.
void put_findings(const std::vector<Finding>& findings, std::uint64_t dropped, const std::vector<RuleResult>& rules,
                  const Report& report, const Paint& paint, Output& out) {
  put_faults(faults_of(findings), findings, rules, report, paint, out);
  if (report.style.verbose) put_faults(held_back_of(findings), findings, rules, report, paint, out);
  if (dropped > 0)
    out.print("\n{} like these were counted and not stored; the first of each rule and flow are above\n",
              counted(dropped, "finding"));
}

// Prints the facts about the run that its recording states and its frames do not show.
void put_run(const RecordedRun& run, const Report& report, const Paint& paint, Output& out) {
  out.print("\nrecorded run  of {}, in {}: {}, exit status {}; cases: {}\n", printable(run.peer), printable(run.file),
            printable(run.end), run.exit_status, verdict_counts(run.cases, true, paint));
  std::vector<RuleResult> unseen;  // rules that failed in that run but not here
  for (const RuleResult& one : run.rules) {
    const auto judged = std::ranges::find(report.results.rules, one.rule, &RuleResult::rule);
    const bool fails_here = judged != report.results.rules.end() && judged->verdict == Verdict::fail;
    if (one.verdict == Verdict::fail && !fails_here) unseen.push_back(one);
  }
  const auto has_finding = [&](const RuleResult& one) {
    return std::ranges::any_of(run.findings, [&](const Finding& finding) { return finding.rule == one.rule; });
  };
  for (const RuleResult& one : unseen) {
    if (has_finding(one)) continue;
    out.print("\n{}  {}  {} {} of {}, in that run\n      {}\n", paint(Colour::red, "FAIL"),
              paint(Colour::bold, one.rule->id), to_string(one.rule->level), one.failed, one.exercised,
              wrapped(printable(one.rule->summary), report.style.width, 6));
  }
  put_findings(run.findings, run.findings_dropped, run.rules, report, paint, out);
  put_cases("cases of that run", run.cases, report, paint, out);
}

// Lists flows that were not judged completely, with the reason, and those that have a remark. Lists all flows if the
// style asks for it.
void put_flows(const Report& report, Output& out) {
  const Results& results = report.results;
  if (results.flows.empty()) return;
  const std::size_t most = report.style.verbose ? 20 : 5;
  std::array<std::uint64_t, 3> counts = results.flows_dropped_as;
  for (const FlowResult& one : results.flows) ++counts[static_cast<std::size_t>(one.state)];
  out.print("\nflows     {}: {} judged", results.flows.size() + results.flows_dropped, counts[0]);
  if (counts[1] > 0) out.print(", {} partial", counts[1]);
  if (counts[2] > 0) out.print(", {} unrecognised", counts[2]);
  out.put(results.flows_dropped > 0 ? fmt::format(", {} not listed\n", results.flows_dropped) : "\n");
  const bool every = report.style.verbose && results.flows.size() <= most;
  std::size_t listed = 0, not_judged = 0;
  for (const FlowResult& one : results.flows) {
    if (!every && ((one.state == FlowState::judged && one.note.empty()) || listed == most)) continue;
    ++listed;
    not_judged += one.state != FlowState::judged;
    out.print("  {:<12} {:<8} {}: {}, {}\n", to_string(one.state), stack_of(one), printable(one.id),
              counted(one.messages, "message"), counted(one.octets, "octet"));
    if (!one.note.empty()) out.print("      {}\n", wrapped(printable(one.note), report.style.width, 6));
  }
  if (!every && counts[1] + counts[2] > not_judged)
    out.print("  … and {}: --format json lists them\n",
              counted(counts[1] + counts[2] - not_judged, "more partial or unrecognised flow"));
}

void put_problems(const Report& report, const Paint& paint, Output& out) {
  const Results& results = report.results;
  if (results.problems.empty()) return;
  out.print("\nproblems with the input  {}\n", results.problems.size() + results.problems_dropped);
  for (const InputProblem& one : results.problems)
    out.print("  {} {}\n", paint(Colour::yellow, "!"), wrapped(one_line(one), report.style.width, 4));
  if (results.problems_dropped > 0) out.print("  … and {} more\n", results.problems_dropped);
}

void put_fixed(const Gate& gate, const Paint& paint, Output& out) {
  if (gate.fixed.empty()) return;
  out.put("\nfailed in the baseline, and no longer fails\n");
  for (const Fixed& one : gate.fixed)
    out.print("  {} {}: now {}\n", to_string(one.kind), paint(Colour::bold, printable(one.id)), one.verdict);
}

// Prints waivers that matched no failure. For those about something outside this run, only the expiry is reported.
void put_idle_waivers(const Gate& gate, const Paint& paint, Output& out) {
  bool first = true;
  for (const UnusedWaiver& one : gate.unused_waivers) {
    if (!one.is_expired && one.verdict == "absent") continue;
    if (first) out.put("\nunused waivers\n");
    first = false;
    const std::string_view kind = to_string(one.waiver.is_of_case ? Failure::Kind::test_case : Failure::Kind::rule);
    out.print("  {} {} {}: {}now {}\n", paint(Colour::yellow, one.is_expired ? "expired" : "unused "), kind,
              paint(Colour::bold, printable(one.waiver.id)),
              one.is_expired ? fmt::format("on {}, of {}; ", to_string(one.waiver.until), printable(one.waiver.owner))
                             : std::string(),
              one.verdict);
  }
}

void put_provenance(const RunProvenance& of, const Report& report, Output& out) {
  out.print("\nprovenance\n  command  {}\n  time     {} to {}\n  by       wirelaw {}{}, on {}\n",
            printable(in_shell(of.command)), of.started, of.ended, report.version,
            report.commit.empty() ? std::string() : fmt::format(" (commit {})", report.commit), printable(of.machine));
  for (const ReadFile& one : of.files)
    out.print("  SHA-256  {}  {}\n", one.sha256.empty() ? printable(one.why) : one.sha256, printable(one.name));
}

// Prints the coverage of each section.
void put_sections(const Report& report, Output& out) {
  const auto sections = coverage_by_section(report.results);
  if (sections.empty()) return;
  std::size_t widest = 0;
  for (const SectionCoverage& one : sections) widest = std::max(widest, one.section.size());
  out.print("\ncoverage by section\n  {}\n", kCoverageCounts);
  for (const SectionCoverage& one : sections) {
    out.print("  {:<{}}  {} of {}", one.section, widest, one.judged(), one.rules);
    out.put(one.fail > 0 ? fmt::format(", {} failed\n", one.fail) : "\n");
  }
}

}  // namespace

void write_text(const Report& report, Output& out) {
  const Results& results = report.results;
  const Paint paint{report.style.colour};
  const Colour colour = report.gate.status == ExitStatus::passed ? Colour::green : Colour::red;
  const std::string verdict = paint(colour, bottom_line(report));
  if (!report.style.quiet) {
    // First and last, because a log is read from its end, and a terminal from the command.
    if (report.gate.status != ExitStatus::passed) out.print("{}\n\n", verdict);
    put_summary(report, paint, out);
    put_findings(results.findings, results.findings_dropped, results.rules, report, paint, out);
    put_cases("cases", results.cases, report, paint, out);
    for (const RecordedRun& run : results.runs) put_run(run, report, paint, out);
    if (report.style.verbose) {
      put_sections(report, out);
      put_not_exercised(report, out);
    }
    put_flows(report, out);
    put_problems(report, paint, out);
    put_fixed(report.gate, paint, out);
    put_idle_waivers(report.gate, paint, out);
    if (report.provenance != nullptr) put_provenance(*report.provenance, report, out);
    if (!report.style.verbose)
      out.put("\n-v: every case and flow, coverage by section, rules that were not exercised\n");
    out.put("\n");
  }
  out.print("{}\n", verdict);
}

}  // namespace wirelaw
