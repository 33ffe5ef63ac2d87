// SPDX-License-Identifier: Apache-2.0
#include "reports/text_faults.h"

#include <algorithm>
#include <map>

#include "reports/html/conversation.h"
#include "reports/printable.h"
#include "reports/text_finding.h"

namespace wirelaw {
namespace {

constexpr std::size_t kMostPlaces = 8;  // places of repeated findings that are named

std::vector<Fault> grouped(const std::vector<Finding>& findings, bool held_back) {
  std::vector<Fault> faults;
  std::map<std::pair<const Rule*, Severity>, std::size_t> place_of;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& one = findings[i];
    if (one.held_back != held_back) continue;
    const auto [known, is_new] = place_of.try_emplace({one.rule, one.severity}, faults.size());
    if (is_new) faults.push_back({.rule = one.rule, .severity = one.severity});
    faults[known->second].findings.push_back(i);
  }
  const auto rank = [](const Fault& one) {
    return one.severity == Severity::warning ? 2 : is_mandatory(one.rule->level) ? 0 : 1;
  };
  std::ranges::stable_sort(faults, {}, rank);
  return faults;
}

// The name of the input that a finding belongs to, if there are several.
std::string input_of(std::size_t finding, const std::vector<Finding>& findings, const Report& report) {
  const std::vector<Input>& inputs = report.results.inputs;
  if (inputs.size() < 2 || report.evidence == nullptr || &findings != &report.results.findings) return {};
  const std::vector<std::size_t>& input = report.evidence->input_of_finding;
  return finding < input.size() && input[finding] < inputs.size() ? printable(inputs[input[finding]].name)
                                                                  : std::string();
}

// "frame 15", "frame 15 of b.pcap", or the case if nothing was captured.
std::string place_of(std::size_t finding, const std::vector<Finding>& findings, const Report& report) {
  const Finding& one = findings[finding];
  std::string text = one.frame > 0 ? fmt::format("frame {}", one.frame) : when_of(one.occasion);
  if (text.empty()) text = printable(one.flow);
  const std::string input = input_of(finding, findings, report);
  return input.empty() ? text : text + " of " + input;
}

// The number of failures; for a warning, of warnings.
std::string times_of(const Fault& fault, std::span<const RuleResult> rules, std::size_t& total) {
  total = fault.findings.size();
  const auto found = std::ranges::find(rules, fault.rule, &RuleResult::rule);
  if (found == rules.end()) return fmt::format("{}", total);
  const std::uint64_t counted = fault.severity == Severity::violation ? found->failed : found->warned;
  total = std::max<std::size_t>(total, counted);
  return fmt::format("{} of {}", total, std::max<std::uint64_t>(found->exercised, total));
}

void put_again(const Fault& fault, const std::vector<Finding>& findings, std::size_t shown, std::size_t total,
               const Report& report, Output& out) {
  if (total <= shown) return;
  std::vector<std::string> places;
  for (const std::size_t one : std::span(fault.findings).subspan(shown)) {
    std::string place = place_of(one, findings, report);
    if (std::ranges::find(places, place) == places.end()) places.push_back(std::move(place));
    if (places.size() == kMostPlaces) break;
  }
  std::string text = fmt::format("{}", fmt::join(places, ", "));
  if (total - shown > places.size()) text += places.empty() ? "not kept" : ", …";
  put_labelled(fmt::format("+{}", total - shown), text, report, out);
}

}  // namespace

std::vector<Fault> faults_of(const std::vector<Finding>& findings) {
  return grouped(findings, false);
}

std::vector<Fault> held_back_of(const std::vector<Finding>& findings) {
  return grouped(findings, true);
}

std::string standing_of(const Gate& gate, Failure::Kind kind, std::string_view id) {
  if (const Waiver* const waiver = waiver_of(gate, kind, id)) return say(*waiver);
  return is_known(gate, kind, id) ? "known: it is in the baseline" : "";
}

void put_fault(const Fault& fault, const std::vector<Finding>& findings, std::span<const RuleResult> rules,
               const Report& report, const Paint& paint, Output& out) {
  const bool warning = fault.severity == Severity::warning;
  const std::string excuse = warning ? std::string() : standing_of(report.gate, Failure::Kind::rule, fault.rule->id);
  std::size_t total = 0;
  const std::string times = times_of(fault, rules, total);
  out.print("\n{}  {}  {} {}{}{}\n", paint(warning ? Colour::yellow : Colour::red, warning ? "warn" : "FAIL"),
            paint(Colour::bold, fault.rule->id), to_string(fault.rule->level), times, excuse.empty() ? "" : ", ",
            excuse);
  out.print("      {}\n", wrapped(fmt::format("{} ({})", printable(fault.rule->summary), fault.rule->section),
                                  report.style.width, 6));
  const auto verdict = std::ranges::find(rules, fault.rule, &RuleResult::rule);
  if (verdict != rules.end() && !warning) put_labelled("verdict", printable(verdict->reason), report, out);
  const std::size_t most = report.style.max_findings == 0 ? fault.findings.size() : report.style.max_findings;
  const std::size_t shown = std::min(most, fault.findings.size());
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out.put("\n");
    put_labelled("input", input_of(fault.findings[i], findings, report), report, out);
    put_finding(findings[fault.findings[i]], report, out);
  }
  put_again(fault, findings, shown, total, report, out);
  put_labelled("explain", fmt::format("wirelaw explain {}", fault.rule->id), report, out);
}

}  // namespace wirelaw
