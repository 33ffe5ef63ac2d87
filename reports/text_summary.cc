// SPDX-License-Identifier: Apache-2.0
#include "reports/text_summary.h"

#include <map>
#include <utility>

#include "reports/printable.h"

namespace wirelaw {
namespace {

// Returns the reason why the input is incomplete. Empty if it is complete.
std::string completeness_of(const Input& input) {
  if (input.completeness == Completeness::complete) return {};
  const bool unknown = input.completeness == Completeness::unknown;
  return fmt::format("{}: {}", unknown ? "may be incomplete" : "incomplete", printable(input.why));
}

// Prints the inputs, or totals if there are many. Each incomplete input is listed with its reason.
void put_inputs(const Report& report, Output& out) {
  const std::vector<Input>& inputs = report.results.inputs;
  const bool each = report.style.verbose || inputs.size() == 1;
  std::uint64_t frames = 0, octets = 0;
  std::map<std::string, std::size_t> flaws;
  for (const Input& input : inputs) {
    frames += input.frames;
    octets += input.octets;
    const std::string flaw = completeness_of(input);
    if (!flaw.empty()) ++flaws[flaw];
    if (each)
      out.print("input     {}  {}, {}{}{}\n", printable(input.name), counted(input.frames, "frame"),
                counted(input.octets, "octet"), flaw.empty() ? "" : "; ", flaw);
  }
  if (each || inputs.empty()) return;
  out.print("inputs    {}: {}, {}\n", inputs.size(), counted(frames, "frame"), counted(octets, "octet"));
  for (const auto& [flaw, count] : flaws) out.print("          {} of them {}\n", count, flaw);
}

// Prints the number of findings that the judge held back, in one line.
void put_held_back(const Results& results, const Paint& paint, Output& out) {
  const auto count = static_cast<std::size_t>(
      std::ranges::count_if(results.rules, [](const RuleResult& one) { return one.held_back > 0; }));
  if (count == 0) return;
  out.print(
      "{} {}: frames that the capture may lack, or another order of frames, could explain what was seen. If it lacks "
      "none, --complete judges the first kind\n",
      paint(Colour::yellow, "held back"), counted(count, "rule"));
}

// Prints the share of rules that were judged: for a capture, of those that a trace can show; for a run, also of those
// that cases can show.
void put_coverage(const Report& report, Output& out) {
  const Results& results = report.results;
  const bool live = !results.cases.empty();
  struct Share {
    std::size_t judged = 0, rules = 0;
  };
  std::vector<std::pair<std::string, Share>> shares;
  for (const RuleResult& one : results.rules) {
    const bool judged = one.exercised > 0;
    const bool can_be = one.verdict != Verdict::not_applicable && one.rule->observable != Observable::none &&
                        (live || one.rule->observable == Observable::trace);
    if (!judged && !can_be) continue;
    const std::string protocol = protocol_of(*one.rule);
    auto share = std::ranges::find(shares, protocol, &std::pair<std::string, Share>::first);
    if (share == shares.end()) share = shares.insert(shares.end(), {protocol, {}});
    ++share->second.rules;
    share->second.judged += judged;
  }
  std::string unseen;
  for (const auto& [protocol, share] : shares) {
    if (share.judged == 0) {
      unseen += (unseen.empty() ? "" : ", ") + protocol;
      continue;
    }
    out.print("coverage  {}: {} of {} rules that {} can show were judged\n", protocol, share.judged, share.rules,
              live ? "a run" : "a capture");
  }
  if (!unseen.empty() && report.style.verbose) out.print("          not seen: {}\n", unseen);
}

}  // namespace

void put_summary(const Report& report, const Paint& paint, Output& out) {
  const Results& results = report.results;
  put_inputs(report, out);
  if (results.rules.empty())
    out.put("rules     none were asked\n");
  else
    out.print("rules     {}\n", verdict_counts(results.rules, report.style.verbose, paint));
  if (!results.cases.empty())
    out.print("cases     {}: {}\n", results.cases.size(), verdict_counts(results.cases, true, paint));
  put_coverage(report, out);
  put_held_back(results, paint, out);
}

}  // namespace wirelaw
