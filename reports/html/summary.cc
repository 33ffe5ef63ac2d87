// SPDX-License-Identifier: Apache-2.0
// The summary of a run: its verdict, its inputs, the first failures, and the coverage of each section.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>

#include "reports/bottom_line.h"
#include "reports/coverage.h"
#include "reports/html/page.h"
#include "reports/html/parts.h"
#include "reports/printable.h"
#include "reports/provenance.h"
#include "reports/text_finding.h"

namespace wirelaw::html {
namespace {

constexpr std::array kVerdicts{Verdict::fail,          Verdict::warned,         Verdict::inconclusive, Verdict::pass,
                               Verdict::not_exercised, Verdict::not_applicable, Verdict::skipped};

template <class Each>
void put_tiles(std::string& page, std::string_view what, const std::vector<Each>& all) {
  for (const Verdict verdict : kVerdicts) {
    const auto count = std::ranges::count(all, verdict, &Each::verdict);
    if (count > 0) put(page, "<li>{} {} <b>{}</b></li>", what, badge(to_string(verdict)), count);
  }
}

// Returns the rules without those of protocols that were not seen, which may be thousands.
std::vector<RuleResult> rules_of_what_was_seen(const Results& results) {
  const auto seen = protocols_seen(results);
  std::vector<RuleResult> rules;
  for (const RuleResult& one : rules_together(results)) {
    const bool says = one.verdict != Verdict::not_exercised && one.verdict != Verdict::not_applicable;
    if (says || seen.contains(protocol_of(*one.rule))) rules.push_back(one);
  }
  return rules;
}

// Returns the cases of the run and of recorded runs, each once: the bottom line counts a failure of a case once, too.
std::vector<CaseResult> cases_together(const Results& results) {
  std::vector<CaseResult> cases;
  std::unordered_map<std::string_view, std::size_t> places;
  const auto add = [&](const std::vector<CaseResult>& some) {
    for (const CaseResult& one : some) {
      const auto [at, is_new] = places.try_emplace(one.id, cases.size());
      if (is_new)
        cases.push_back(one);
      else if (one.verdict == Verdict::fail)
        cases[at->second].verdict = Verdict::fail;
    }
  };
  add(results.cases);
  for (const RecordedRun& run : results.runs) add(run.cases);
  return cases;
}

// Returns the first violation of each rule: those judged here first, then those that only a recorded run has.
std::vector<const Finding*> first_violations_together(const Results& results) {
  auto first = first_violations(results.findings);
  std::unordered_set<const Rule*> seen;
  for (const Finding* one : first) seen.insert(one->rule);
  for (const RecordedRun& run : results.runs)
    for (const Finding* one : first_violations(run.findings))
      if (seen.insert(one->rule).second) first.push_back(one);
  return first;
}

void put_verdict_filter(std::string& page) {
  std::array<std::string_view, kVerdicts.size()> words;
  std::ranges::transform(kVerdicts, words.begin(), [](Verdict one) { return to_string(one); });
  put_filter(page, "rule, case, section, word", words);
}

void put_bar(std::string& page, const SectionCoverage& of) {
  page += "<div class=\"bar\" aria-hidden=\"true\">";
  for (const auto& [kind, count] : {std::pair{"p", of.pass}, std::pair{"f", of.fail}, std::pair{"w", of.open}})
    if (count > 0)
      put(page, "<i class=\"{}\" style=\"width:{}%\"></i>", kind, std::max<std::size_t>(1, 100 * count / of.rules));
  page += "</div>";
}

}  // namespace

std::vector<RuleResult> rules_together(const Results& results) {
  std::vector<RuleResult> rules = results.rules;
  std::unordered_map<const Rule*, std::size_t> places;
  for (std::size_t i = 0; i < rules.size(); ++i) places.emplace(rules[i].rule, i);
  for (const RecordedRun& run : results.runs)
    for (const RuleResult& one : run.rules) {
      if (one.verdict != Verdict::fail) continue;
      const auto [at, is_new] = places.try_emplace(one.rule, rules.size());
      if (is_new)
        rules.push_back(one);
      else if (rules[at->second].verdict != Verdict::fail)
        rules[at->second] = one;
    }
  return rules;
}

void put_summary(std::string& page, const Report& report) {
  const Results& results = report.results;
  if (report.subject.empty())
    page += "<h1>Wirelaw report</h1>\n";
  else
    put(page, "<h1 class=\"wrap\">Conformance report: {}</h1>\n", report.subject);
  put(page, "<p class=\"verdict {}\">{}</p>\n", report.gate.status == ExitStatus::passed ? "ok" : "bad",
      bottom_line(report));
  page += "<ul class=\"tiles\">";
  put_tiles(page, "rules", rules_of_what_was_seen(results));
  put_tiles(page, "cases", cases_together(results));
  page +=
      "</ul>\n<div class=\"scroll\"><table><thead><tr><th>input</th><th class=\"n\">frames</th><th class=\"n\">octets"
      "</th><th>complete</th></tr></thead><tbody>\n";
  constexpr std::size_t kMostInputs = 200;
  for (const Input& one : std::span(results.inputs).first(std::min(kMostInputs, results.inputs.size())))
    put(page, "<tr><td class=\"wrap\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}{}</td></tr>\n",
        one.name, one.frames, one.octets, to_string(one.completeness), one.why.empty() ? "" : ": " + one.why);
  page += "</tbody></table></div>\n";
  if (results.inputs.size() > kMostInputs)
    put(page, "<p class=\"dim\">and {}</p>\n", counted(results.inputs.size() - kMostInputs, "more input"));
  page +=
      "<nav aria-label=\"Parts of this page\"><a href=\"#first\">First failures</a> <a href=\"#coverage\">Coverage</a> "
      "<a href=\"#findings\">Findings</a> <a href=\"#cases\">Cases</a> <a href=\"#rules\">Rules</a> "
      "<a href=\"#flows\">Conversations</a>";
  put_verdict_filter(page);
  page += "</nav>\n";
}

void put_provenance(std::string& page, const RunProvenance& of, const Report& report) {
  put(page,
      "<section id=\"provenance\"><h2>Provenance</h2>\n<dl><dt>command</dt><dd><code>{}</code></dd>"
      "<dt>time</dt><dd>{} to {}</dd><dt>machine</dt><dd>{}</dd><dt>program</dt><dd>wirelaw {}{}</dd></dl>\n",
      in_shell(of.command), of.started, of.ended, of.machine, report.version,
      report.commit.empty() ? std::string() : fmt::format(", commit {}", report.commit));
  if (of.files.empty()) {
    page += "</section>\n";
    return;
  }
  page +=
      "<div class=\"scroll\"><table><thead><tr><th>read</th><th "
      "class=\"n\">octets</th><th>SHA-256</th></tr></thead><tbody>\n";
  for (const ReadFile& one : of.files)
    if (one.sha256.empty())
      put(page, "<tr><td class=\"wrap\">{}</td><td></td><td>{}</td></tr>\n", one.name, one.why);
    else
      put(page, "<tr><td class=\"wrap\">{}</td><td class=\"n\">{}</td><td class=\"wrap\"><code>{}</code></td></tr>\n",
          one.name, one.octets, one.sha256);
  page += "</tbody></table></div></section>\n";
}

void put_first_failures(std::string& page, const Report& report) {
  constexpr std::size_t kMost = 10;
  const auto first = first_violations_together(report.results);
  page += "<section id=\"first\"><h2>What failed first</h2>\n";
  if (first.empty()) {
    page += "<p>No rule was violated.</p></section>\n";
    return;
  }
  page += "<ol>\n";
  for (const Finding* one : std::span(first).first(std::min(kMost, first.size())))
    put(page, "<li class=\"wrap\"><a href=\"#{}\">{}</a> {} <span class=\"dim\">{}</span></li>\n",
        anchor_of(*one->rule), one->rule->id, one->rule->summary, where_of(*one));
  page += "</ol>\n";
  if (first.size() > kMost) put(page, "<p class=\"dim\">and {}</p>\n", counted(first.size() - kMost, "more rule"));
  page += "</section>\n";
}

void put_coverage(std::string& page, const Report& report) {
  const auto sections = coverage_by_section(report.results);
  page += "<section id=\"coverage\"><h2>Coverage by section</h2>\n";
  if (sections.empty()) {
    page += "<p>No rule was exercised.</p></section>\n";
    return;
  }
  put(page, "<p>Counted: {}.</p>\n", kCoverageCounts);
  page +=
      "<div class=\"scroll\"><table><thead><tr><th>section</th><th class=\"n\">judged</th><th class=\"n\">failed</th>"
      "<th class=\"n hide\">open or warned</th><th class=\"hide\"></th></tr></thead><tbody>\n";
  for (const SectionCoverage& of : sections) {
    put(page,
        "<tr><td>{}</td><td class=\"n\">{} of {}</td><td class=\"n\">{}</td><td class=\"n hide\">{}</td>"
        "<td class=\"hide\">",
        section(of.section), of.judged(), of.rules, of.fail, of.open);
    put_bar(page, of);
    page += "</td></tr>\n";
  }
  page += "</tbody></table></div></section>\n";
}

}  // namespace wirelaw::html
