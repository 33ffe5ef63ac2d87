// SPDX-License-Identifier: Apache-2.0
// The findings, by rule, in the order in which the rules were first broken.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "reports/html/ladder.h"
#include "reports/html/page.h"
#include "reports/html/parts.h"
#include "reports/printable.h"
#include "reports/ruling.h"
#include "reports/text_finding.h"

namespace wirelaw::html {
namespace {

constexpr std::size_t kWithConversation = 3;  // number of findings of a rule that show their conversation

struct OfRule {
  const Rule* rule;
  Severity worst;
  std::vector<const Finding*> findings;
};

std::vector<OfRule> by_rule(const std::vector<Finding>& findings) {
  std::vector<OfRule> rules;
  std::unordered_map<const Rule*, std::size_t> places;
  for (const Finding& one : findings) {
    const auto [at, is_new] = places.try_emplace(one.rule, rules.size());
    if (is_new) rules.push_back({one.rule, one.severity, {}});
    OfRule& of = rules[at->second];
    if (one.severity == Severity::violation) of.worst = one.severity;
    of.findings.push_back(&one);
  }
  std::stable_partition(rules.begin(), rules.end(), [](const OfRule& one) { return one.worst == Severity::violation; });
  return rules;
}

void put_detail(std::string& page, std::string_view label, std::string_view text) {
  if (!text.empty()) put(page, "<dt>{}</dt><dd>{}</dd>", label, text);
}

void put_details(std::string& page, const Finding& one) {
  page += "<dl>";
  put_detail(page, "where", where_of(one));
  put_detail(page, "case", when_of(one.occasion));
  if (one.length > 0)
    put_detail(page, "octets",
               one.length == 1 ? fmt::format("{}", one.offset)
                               : fmt::format("{} to {}", one.offset, one.offset + one.length - 1));
  put_detail(page, "expected", one.expected);
  put_detail(page, "actual", one.actual);
  put_detail(page, "why", one.explanation);
  put_detail(page, "ruling", ruling_of(one));
  if (one.held_back)
    put_detail(page, "held back",
               one.evidence == Evidence::order
                   ? "it rests on the order of frames, which may have been different for the peers"
                   : "it rests on missing frames; --complete judges it");
  page += "</dl>\n";
}

// Writes one finding with its conversation and its octets.
void put_finding(std::string& page, const Report& report, const Finding& one, const ShownInput* input) {
  const bool warning = one.severity == Severity::warning;
  const bool known = !warning && is_known(report.gate, Failure::Kind::rule, one.rule->id);
  put(page, "<div class=\"finding{}\">{}{}\n", warning ? " w" : "", badge(to_string(one.severity)),
      known ? " known: it is in the baseline" : "");
  put_details(page, one);
  const ShownFlow* const flow = input == nullptr ? nullptr : flow_of(one, *input);
  const ShownMessage* const message = flow == nullptr ? nullptr : message_of(one, *flow);
  if (message != nullptr) put_ladder(page, *flow, around(*flow, *message), message);
  if (message != nullptr && message->number == one.message && one.offset < message->octets.size())
    put_octets(page, message->octets, 0, one.offset, one.length, message->fields);
  else
    put_octets(page, one.octets, one.offset, one.offset, one.length, {});
  page += "</div>\n";
}

// Returns the evidence from the input of a finding, by the index of the finding.
using InputOf = std::function<const ShownInput*(std::size_t place)>;

// `has_id`: the element is the target of links to the rule.
void put_rule(std::string& page, const Report& report, const OfRule& of, const std::vector<Finding>& all,
              const InputOf& input_of, bool has_id) {
  const bool failed = of.worst == Severity::violation;
  put(page, "<details{} data-v=\"{}\"{}><summary>{} <b>{}</b> {} · {} · {}</summary><div class=\"in\">\n",
      Markup{has_id ? fmt::format(" id=\"{}\"", anchor_of(*of.rule)) : ""}, failed ? "fail" : "warned",
      Markup{failed ? " open" : ""}, badge(failed ? "fail" : "warned"), of.rule->id, to_string(of.rule->level),
      of.rule->summary, counted(of.findings.size(), "finding"));
  put(page, "<p>{}{} · <code>wirelaw explain {}</code></p>\n", section(of.rule->section),
      of.rule->note.empty() ? std::string() : fmt::format(" · {}", of.rule->note), of.rule->id);
  std::size_t shown = 0;
  for (const Finding* one : of.findings) {
    if (page.size() > kMostOctets) break;
    const auto place = static_cast<std::size_t>(one - all.data());
    put_finding(page, report, *one, shown++ < kWithConversation ? input_of(place) : nullptr);
  }
  page += "</div></details>\n";
}

void put_findings_of(std::string& page, const Report& report, const std::vector<Finding>& all, std::uint64_t dropped,
                     std::string_view title, const InputOf& input_of, std::set<const Rule*>& with_id) {
  const auto rules = by_rule(all);
  if (rules.empty()) return;
  put(page, "<section data-block><h2>{}</h2>\n", title);
  if (report.evidence != nullptr && !report.evidence->missing.empty())
    put(page, "<p class=\"dim\">No conversations are shown: {}</p>\n", report.evidence->missing);
  bool is_full = false;
  for (const OfRule& of : rules) {
    const bool has_id = with_id.insert(of.rule).second;
    if (!is_full) {
      put_rule(page, report, of, all, input_of, has_id);
      is_full = page.size() > kMostOctets;
      if (is_full) page += "<p>The page is full: the JSON result has the rest.</p>\n";
    } else if (has_id) {
      put(page, "<span id=\"{}\"></span>", anchor_of(*of.rule));
    }
  }
  if (dropped > 0)
    put(page, "<p class=\"dim\">{} like these were counted, but not kept.</p>\n", counted(dropped, "finding"));
  page += "</section>\n";
}

}  // namespace

std::string anchor_of(const Rule& rule) {
  return fmt::format("rule-{}", rule.id);
}

std::set<const Rule*> anchored_rules(const Results& results) {
  std::set<const Rule*> rules;
  for (const Finding& one : results.findings) rules.insert(one.rule);
  for (const RecordedRun& run : results.runs)
    for (const Finding& one : run.findings) rules.insert(one.rule);
  return rules;
}

void put_findings(std::string& page, const Report& report) {
  const ShownTraffic* const evidence = report.evidence;
  std::set<const Rule*> with_id;
  page += "<span id=\"findings\"></span>";
  put_findings_of(
      page, report, report.results.findings, report.results.findings_dropped, "Findings",
      [&](std::size_t place) -> const ShownInput* {
        if (evidence == nullptr || place >= evidence->input_of_finding.size()) return nullptr;
        const std::size_t input = evidence->input_of_finding[place];
        return input < evidence->inputs.size() ? &evidence->inputs[input] : nullptr;
      },
      with_id);
  for (const RecordedRun& run : report.results.runs)
    put_findings_of(
        page, report, run.findings, run.findings_dropped,
        fmt::format("Findings that only the cases of {} show", run.file),
        [input = input_of_run(report, run)](std::size_t) { return input; }, with_id);
}

}  // namespace wirelaw::html
