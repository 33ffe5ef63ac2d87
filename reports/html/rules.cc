// SPDX-License-Identifier: Apache-2.0
// The rules with their verdicts, the conversations, and the problems with the input.
#include <algorithm>
#include <map>
#include <set>

#include "reports/html/page.h"
#include "reports/html/parts.h"
#include "reports/printable.h"
#include "reports/text.h"

namespace wirelaw::html {
namespace {

constexpr std::size_t kMostFlows = 1000, kMostProblems = 200;

// Returns the protocols whose rules were exercised or whose cases were run.
std::set<std::string> judged_protocols(const Results& results) {
  std::set<std::string> judged;
  for (const RuleResult& one : results.rules)
    if (one.exercised > 0) judged.insert(protocol_of(*one.rule));
  for (const CaseResult& one : results.cases) judged.insert(one.protocol);
  return judged;
}

void put_problems(std::string& page, const Results& results) {
  if (results.problems.empty()) return;
  page += "<section><h2>Problems with the input</h2><ul>\n";
  const std::size_t shown = std::min(kMostProblems, results.problems.size());
  for (const InputProblem& one : std::span(results.problems).first(shown))
    put(page, "<li class=\"wrap\">{}</li>\n", one_line(one));
  page += "</ul>\n";
  if (const std::uint64_t more = results.problems.size() - shown + results.problems_dropped; more > 0)
    put(page, "<p class=\"dim\">and {}</p>\n", counted(more, "more problem"));
  page += "</section>\n";
}

}  // namespace

void put_rules(std::string& page, const Report& report) {
  const std::set<std::string> judged = judged_protocols(report.results);
  std::map<std::string, std::size_t> absent;
  page +=
      "<section id=\"rules\" data-block><h2>Rules</h2>\n<div "
      "class=\"scroll\"><table><thead><tr><th>rule</th><th>verdict</th>"
      "<th>what it demands</th><th class=\"n hide\">exercised</th><th class=\"n "
      "hide\">failed</th></tr></thead><tbody>\n";
  const std::set<const Rule*> anchored = anchored_rules(report.results);
  for (const RuleResult& one : rules_together(report.results)) {
    if (const std::string protocol = protocol_of(*one.rule); !judged.contains(protocol)) {
      ++absent[protocol];
      continue;
    }
    const bool found = anchored.contains(one.rule);
    put(page,
        "<tr data-v=\"{}\"><td>{}</td><td>{}</td><td>{} {} <span class=\"dim\">{}{}</span></td>"
        "<td class=\"n hide\">{}</td><td class=\"n hide\">{}</td></tr>\n",
        to_string(one.verdict),
        found ? Markup{fmt::format("<a href=\"#{0}\">{1}</a>", escaped(anchor_of(*one.rule)), escaped(one.rule->id))}
              : Markup{escaped(one.rule->id)},
        badge(to_string(one.verdict)), to_string(one.rule->level), one.rule->summary, section(one.rule->section),
        one.reason.empty() ? "" : "; " + one.reason, one.exercised, one.failed);
  }
  page += "</tbody></table></div>\n";
  for (const auto& [protocol, count] : absent)
    put(page, "<p class=\"dim\">{}: not seen in the traffic; {}</p>\n", protocol, counted(count, "rule"));
  page += "</section>\n";
}

void put_flows(std::string& page, const Report& report) {
  const Results& results = report.results;
  page +=
      "<section id=\"flows\"><h2>Conversations</h2>\n<div "
      "class=\"scroll\"><table><thead><tr><th>conversation</th><th>state"
      "</th><th class=\"n\">messages</th><th class=\"n hide\">octets</th></tr></thead><tbody>\n";
  // Inconclusive rules come first, because they have a reason.
  std::vector<const FlowResult*> flows;
  for (const FlowResult& one : results.flows) flows.push_back(&one);
  std::stable_partition(flows.begin(), flows.end(),
                        [](const FlowResult* one) { return one->state != FlowState::judged; });
  const std::size_t shown = page.size() > kMostOctets ? 0 : std::min(kMostFlows, flows.size());
  for (const FlowResult* one : std::span(flows).first(shown))
    put(page,
        "<tr><td class=\"wrap\">{} {}{}<br><span class=\"dim\">{}</span></td><td>{}</td><td class=\"n\">{}</td>"
        "<td class=\"n hide\">{}</td></tr>\n",
        one->above.empty() ? one->protocol : one->above + " over " + one->protocol, one->id,
        one->missing.empty() ? "" : ", missing: " + one->missing, one->note, badge(to_string(one->state)),
        one->messages, one->octets);
  page += "</tbody></table></div>\n";
  if (const std::uint64_t more = flows.size() - shown + results.flows_dropped; more > 0)
    put(page, "<p class=\"dim\">and {}</p>\n", counted(more, "more conversation"));
  page += "</section>\n";
  put_problems(page, results);
}

}  // namespace wirelaw::html
