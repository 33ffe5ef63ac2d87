// SPDX-License-Identifier: Apache-2.0
#include "reports/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "reports/bottom_line.h"
#include "reports/printable.h"
#include "reports/text_finding.h"
#include "reports/text_style.h"

namespace wirelaw {
namespace {

constexpr std::array kVerdictOrder{Verdict::pass,         Verdict::warned,        Verdict::fail,
                                   Verdict::inconclusive, Verdict::not_exercised, Verdict::not_applicable,
                                   Verdict::skipped};

template <class Each>
std::string verdict_counts(const std::vector<Each>& results, const Paint& paint) {
  std::array<std::size_t, kVerdictOrder.size()> counts{};
  for (const Each& one : results) ++counts[static_cast<std::size_t>(one.verdict)];
  std::string text;
  for (const Verdict verdict : kVerdictOrder) {
    const std::size_t count = counts[static_cast<std::size_t>(verdict)];
    if (count == 0) continue;
    text += text.empty() ? "" : ", ";
    text += paint(colour_of(verdict), fmt::format("{} {}", count, to_string(verdict)));
  }
  return text;
}

// The protocols that something was seen of.
std::set<std::string, std::less<>> protocols_seen(const Results& results) {
  std::set<std::string, std::less<>> seen;
  for (const FlowResult& flow : results.flows)
    for (const std::string& protocol : {flow.protocol, flow.above})
      if (!protocol.empty()) seen.insert(protocol);
  for (const CaseResult& one : results.cases) seen.insert(one.protocol);
  return seen;
}

// Of a protocol that cases were not for: it stands below the one that they were for.
bool is_below_the_cases(const Results& results, std::string_view protocol) {
  return !results.cases.empty() &&
         std::ranges::none_of(results.cases, [&](const CaseResult& one) { return one.protocol == protocol; });
}

std::string stack_of(const FlowResult& flow) {
  if (flow.protocol.empty()) return "-";
  return flow.above.empty() ? flow.protocol : flow.above + " over " + flow.protocol;
}

// Grouped by what would exercise them, in as few lines as the width allows. Where no case was run, that those which
// need one were not exercised is no news: their number will do; and so it will for protocols that nothing was seen of,
// or that only carried what was tested.
void put_not_exercised(const Report& report, Output& out) {
  static constexpr std::array<std::string_view, 4> kTitles{"not exercised by the messages",
                                                           "not exercised: a case is needed, wirelaw test",
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
  list("of the protocol below, which the cases are not for", below);
  list("nothing was seen of the protocol", absent);
}

// Nothing where it is complete.
std::string completeness_of(const Input& input) {
  if (input.completeness == Completeness::complete) return {};
  const bool unknown = input.completeness == Completeness::unknown;
  return fmt::format("; {}: {}", unknown ? "may be incomplete" : "incomplete", printable(input.why));
}

// What the policy of the judge held back, in one line.
void put_held_back(const Results& results, const Paint& paint, Output& out) {
  const auto count = static_cast<std::size_t>(
      std::ranges::count_if(results.rules, [](const RuleResult& one) { return one.held_back > 0; }));
  if (count == 0) return;
  out.print(
      "{} {}: what is against {} rests on frames not seen, or on their order, and not all need have been "
      "captured; --complete judges {}\n",
      paint(Colour::yellow, "held back"), counted(count, "rule"), count == 1 ? "it" : "them",
      count == 1 ? "it" : "them");
}

void put_summary(const Report& report, const Paint& paint, Output& out) {
  const Results& results = report.results;
  for (const Input& input : results.inputs)
    out.print("input     {}  {}, {}{}\n", printable(input.name), counted(input.frames, "frame"),
              counted(input.octets, "octet"), completeness_of(input));
  if (results.rules.empty())
    out.put("rules     none were asked\n");
  else
    out.print("rules     {}: {}\n", results.rules.size(), verdict_counts(results.rules, paint));
  if (!results.cases.empty())
    out.print("cases     {}: {}\n", results.cases.size(), verdict_counts(results.cases, paint));
  put_held_back(results, paint, out);
}

// Why a failure fails no run.
std::string excuse_of(const Gate& gate, Failure::Kind kind, std::string_view id) {
  if (const Waiver* const waiver = waiver_of(gate, kind, id)) return say(*waiver);
  return is_known(gate, kind, id) ? "known: it is in the baseline" : "";
}

void put_failed_rules(const Report& report, const Paint& paint, Output& out) {
  bool first = true;
  for (const RuleResult& one : report.results.rules) {
    if (one.verdict != Verdict::fail && one.warned == 0) continue;
    if (first) out.put("\n");
    first = false;
    const bool failed = one.verdict == Verdict::fail;
    const std::string excuse = failed ? excuse_of(report.gate, Failure::Kind::rule, one.rule->id) : std::string();
    out.print("{}  {}, {}: {} of {}{}\n", failed ? paint(Colour::red, "fail") : paint(Colour::yellow, "warn"),
              paint(Colour::bold, one.rule->id), to_string(one.rule->level),
              failed              ? fmt::format("failed {}", one.failed)
              : one.held_back > 0 ? fmt::format("held back {}", one.held_back)
                                  : fmt::format("warned {}", one.warned),
              one.exercised, excuse.empty() ? "" : ", " + excuse);
    out.print("      {}\n", wrapped(printable(one.rule->summary), report.style.width, 6));
  }
}

// The first violation of each rule, and then as many others as there is room for, in their order.
std::vector<const Finding*> findings_to_show(const std::vector<Finding>& findings, std::size_t limit) {
  const std::size_t most = limit == 0 ? findings.size() : limit;
  std::set<const Rule*> seen;
  std::vector<bool> is_first(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i)
    is_first[i] = findings[i].severity == Severity::violation && seen.insert(findings[i].rule).second;
  std::size_t others = most - std::min(most, seen.size());
  std::vector<const Finding*> shown;
  for (std::size_t i = 0; i < findings.size(); ++i)
    if (is_first[i] || (others > 0 && others-- > 0)) shown.push_back(&findings[i]);
  return shown;
}

void put_findings(std::string_view title, const std::vector<Finding>& findings, std::uint64_t dropped,
                  const Report& report, const Paint& paint, Output& out) {
  if (findings.empty()) return;
  const auto shown = findings_to_show(findings, report.style.max_findings);
  out.print("\n{}\n", title);
  for (const Finding* one : shown) put_finding(*one, report, paint, out);
  if (shown.size() < findings.size())
    out.print("  … and {}: --max-findings 0 prints all, --format json holds all\n",
              counted(findings.size() - shown.size(), "more finding"));
  if (dropped > 0)
    out.print("  {} like these counted, and not kept: the first ones of each rule and flow show the fault\n",
              counted(dropped, "finding"));
}

void put_cases(std::string_view title, const std::vector<CaseResult>& cases, const Report& report, const Paint& paint,
               Output& out) {
  if (cases.empty()) return;
  std::size_t widest = 0;
  for (const CaseResult& one : cases) widest = std::max(widest, one.id.size());
  widest = std::min<std::size_t>(widest, 56);
  out.print("\n{}\n", title);
  std::string_view
      last_reason;  // a reason that many cases share in a row (a peer that cannot be reached) is written once
  for (const CaseResult& one : cases) {
    const std::string excuse =
        one.verdict == Verdict::fail ? excuse_of(report.gate, Failure::Kind::test_case, one.id) : std::string();
    out.print("  {} {:<{}} {:>9.3f} ms{}\n",
              paint(colour_of(one.verdict), fmt::format("{:<14}", to_string(one.verdict))), one.id, widest,
              static_cast<double>(one.duration_ns / 1000) / 1000.0, excuse.empty() ? "" : "  " + excuse);
    if (!one.reason.empty() && one.reason != last_reason)
      out.print("      {}\n", wrapped(printable(one.reason), report.style.width, 6));
    last_reason = one.reason;
  }
}

// What the recording says of the run that it is of, and its frames do not.
void put_run(const RecordedRun& run, const Report& report, const Paint& paint, Output& out) {
  out.print("\nrecorded run  of {}, in {}: {}, exit status {}\n", printable(run.peer), printable(run.file),
            printable(run.end), run.exit_status);
  for (const RuleResult& one : run.rules) {
    const auto judged = std::ranges::find(report.results.rules, one.rule, &RuleResult::rule);
    if (one.verdict != Verdict::fail || (judged != report.results.rules.end() && judged->verdict == Verdict::fail))
      continue;
    out.print("{}  {}, {}: failed in that run {} of {}\n      {}\n", paint(Colour::red, "fail"),
              paint(Colour::bold, one.rule->id), to_string(one.rule->level), one.failed, one.exercised,
              wrapped(printable(one.rule->summary), report.style.width, 6));
  }
  put_findings("findings of that run which only its cases can show", run.findings, run.findings_dropped, report, paint,
               out);
  put_cases("cases of that run", run.cases, report, paint, out);
}

void put_flows(const Report& report, Output& out) {
  const Results& results = report.results;
  if (results.flows.empty()) return;
  constexpr std::size_t kListed = 20;
  std::array<std::uint64_t, 3> counts = results.flows_dropped_as;
  for (const FlowResult& one : results.flows) ++counts[static_cast<std::size_t>(one.state)];
  out.print("\nflows     {}: {} judged, {} partial, {} unrecognised", results.flows.size() + results.flows_dropped,
            counts[0], counts[1], counts[2]);
  out.put(results.flows_dropped > 0 ? fmt::format(", {} not listed\n", results.flows_dropped) : "\n");
  const bool every = results.flows.size() <= kListed;
  std::size_t listed = 0;
  for (const FlowResult& one : results.flows) {
    if (!every && (one.state == FlowState::judged || listed == kListed)) continue;
    ++listed;
    out.print("  {:<12} {:<8} {}: {}, {}\n", to_string(one.state), stack_of(one), printable(one.id),
              counted(one.messages, "message"), counted(one.octets, "octet"));
    if (!one.note.empty()) out.print("      {}\n", wrapped(printable(one.note), report.style.width, 6));
  }
  if (!every && counts[1] + counts[2] > listed)
    out.print("  … and {}: --format json lists them\n",
              counted(counts[1] + counts[2] - listed, "more partial or unrecognised flow"));
}

void put_problems(const Report& report, const Paint& paint, Output& out) {
  const Results& results = report.results;
  if (results.problems.empty()) return;
  out.print("\nproblems with the input  {}\n", results.problems.size() + results.problems_dropped);
  for (const InputProblem& one : results.problems)
    out.print("  {} {}\n", paint(Colour::yellow, "!"), wrapped(one_line(one), report.style.width, 4));
  if (results.problems_dropped > 0) out.print("  … and {} more\n", results.problems_dropped);
}

void put_mended(const Gate& gate, const Paint& paint, Output& out) {
  if (gate.mended.empty()) return;
  out.put("\nin the baseline, and failing no more\n");
  for (const Mended& one : gate.mended)
    out.print("  {} {}: now {}\n", to_string(one.kind), paint(Colour::bold, printable(one.id)), one.now);
}

// Waivers that have waived nothing; of what is not part of this run nothing is to be reported but the expiry.
void put_idle_waivers(const Gate& gate, const Paint& paint, Output& out) {
  bool first = true;
  for (const IdleWaiver& one : gate.idle) {
    if (!one.is_expired && one.now == "absent") continue;
    if (first) out.put("\nwaivers that waive nothing\n");
    first = false;
    const std::string_view kind = to_string(one.waiver.is_of_case ? Failure::Kind::test_case : Failure::Kind::rule);
    out.print("  {} {} {}: {}now {}\n", paint(Colour::yellow, one.is_expired ? "expired" : "unused "), kind,
              paint(Colour::bold, printable(one.waiver.id)),
              one.is_expired ? fmt::format("on {}, of {}; ", to_string(one.waiver.until), printable(one.waiver.who))
                             : std::string(),
              one.now);
  }
}

}  // namespace

void write_text(const Report& report, Output& out) {
  const Paint paint{report.style.colour};
  if (!report.style.quiet) {
    put_summary(report, paint, out);
    put_failed_rules(report, paint, out);
    put_findings("findings", report.results.findings, report.results.findings_dropped, report, paint, out);
    put_cases("cases", report.results.cases, report, paint, out);
    for (const RecordedRun& run : report.results.runs) put_run(run, report, paint, out);
    put_not_exercised(report, out);
    put_flows(report, out);
    put_problems(report, paint, out);
    put_mended(report.gate, paint, out);
    put_idle_waivers(report.gate, paint, out);
    out.put("\n");
  }
  const Colour colour = report.gate.status == ExitStatus::passed ? Colour::green : Colour::red;
  out.print("{}\n", paint(colour, bottom_line(report)));
}

}  // namespace wirelaw
