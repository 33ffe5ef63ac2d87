// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wirelaw::campaign {
namespace {

constexpr std::string_view kStyle =
    ":root{--ink:#1c2024;--soft:#62686f;--line:#d9dde1;--back:#fff;--card:#f6f7f8;--link:#0b62c4;--bar:#3b82c4;"
    "--bad:#c0392b;--good:#2e7d4f}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e3e6e9;--soft:#9aa2aa;--line:#353b41;--back:#15181b;--card:#1e2226;"
    "--link:#7ab8ff;--bar:#5aa2e0;--bad:#ff7b6b;--good:#6fcf97}}"
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:64em;padding:0 1em;color:var(--ink);"
    "background:var(--back)}"
    "h1{font-size:1.4em;margin-bottom:0}h2{font-size:1.1em;margin:2em 0 .5em}p.sub{color:var(--soft);margin-top:.2em}"
    "a{color:var(--link)}td a{white-space:nowrap}table{border-collapse:collapse;width:100%}"
    "td,th{padding:.25em .8em .25em 0;text-align:left;border-bottom:1px solid var(--line);vertical-align:top}"
    "th{color:var(--soft);font-weight:500}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(10em,1fr));gap:.6em;margin:1.2em 0}"
    ".tile{background:var(--card);border-radius:.4em;padding:.5em .8em}.tile b{display:block;font-size:1.25em}"
    ".tile span{color:var(--soft);font-size:.85em}.bad b{color:var(--bad)}.good b{color:var(--good)}"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(20em,1fr));gap:1em}"
    "figure{margin:0;background:var(--card);border-radius:.4em;padding:.6em}figcaption{font-size:.9em}"
    "svg{width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:var(--soft)}"
    "svg polyline{fill:none;stroke:var(--bar);stroke-width:2}svg line{stroke:var(--line)}"
    "svg.bar{width:9em;max-width:100%;height:.7em}svg.bar rect.all{fill:var(--line)}svg.bar rect.part{fill:var(--bar)}"
    "details summary{cursor:pointer;color:var(--link)}code{font-size:.92em;overflow-wrap:anywhere}"
    ".findings td,.findings p{overflow-wrap:anywhere}.findings p{margin:.2em 0}.findings dl{margin:.2em 0;display:grid;"
    "grid-template-columns:max-content 1fr;gap:0 .8em}.findings dt{color:var(--soft)}.findings dd{margin:0}"
    ".mark{color:var(--bad);font-size:.85em}"
    // On a phone each row is a block: what informs is first, and the numbers follow with their names.
    "@media(max-width:40em){body{margin:1em auto}.plots{grid-template-columns:1fr}.blocks tr{display:block;"
    "padding:.4em 0;border-bottom:1px solid var(--line)}.blocks td{display:block;border:0;padding:.1em 0}"
    ".blocks tr:first-child{display:none}.blocks td.n{text-align:left}.blocks td[data-name]::before{"
    "content:attr(data-name) ': ';color:var(--soft)}.blocks td:empty{display:none}}"
    "@media print{:root{--ink:#000;--soft:#444;--line:#bbb;--back:#fff;--card:#fff;--link:#000;--bar:#444;--bad:#000;"
    "--good:#000}body{margin:0;max-width:none}.tile,figure{border:1px solid var(--line);break-inside:avoid}"
    "tr{break-inside:avoid}}";

std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : text) {
    if (c == '&')
      html += "&amp;";
    else if (c == '<')
      html += "&lt;";
    else if (c == '>')
      html += "&gt;";
    else if (c == '"')
      html += "&quot;";
    else
      html += c;
  }
  return html;
}

// Formats a number as "12,345".
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string time_of(double seconds) {
  const auto all = static_cast<std::uint64_t>(std::max(seconds, 0.0));
  if (all < 120) return fmt::format("{} s", all);
  if (all < 7200) return fmt::format("{} min {} s", all / 60, all % 60);
  return fmt::format("{} h {} min", all / 3600, all / 60 % 60);
}

// ------------------------------------------------------------------------------------------------------------- tiles

std::string tile(std::string_view name, std::string_view value, std::string_view kind = {}) {
  return fmt::format("<div class=\"tile {}\"><b>{}</b><span>{}</span></div>", kind, escaped(value), escaped(name));
}

std::string tiles(const Page& page) {
  const Statistics& all = page.statistics;
  const double rate = all.seconds > 0 ? static_cast<double>(all.runs) / all.seconds : 0;
  std::string html = "<div class=\"tiles\">";
  html += tile("findings", grouped(all.findings), all.findings > 0 ? "bad" : "good");
  html += tile("inputs", grouped(all.runs));
  html += tile("conversations, with replays", grouped(all.executions));
  html += tile("run time", time_of(all.seconds));
  html += tile("inputs a second", fmt::format("{:.1f}", rate));
  html += tile("answers in states", grouped(all.states));
  html += tile("rules exercised", fmt::format("{} of {}", grouped(all.rules), grouped(all.rules_known)));
  if (all.edges > 0) html += tile("edges, with hit counts", grouped(all.edges));
  html += tile("inputs in the corpus", grouped(all.corpus));
  html += tile("of them not mutated yet", grouped(all.pending));
  html += tile("cycles: times that every input was mutated", grouped(all.cycles));
  if (all.runs > 0) html += tile("since something new", time_of(all.seconds - all.last_new_seconds));
  if (all.findings > 0) html += tile("since the last finding", time_of(all.seconds - all.last_finding_seconds));
  if (all.replays > 0) html += tile("replays that recurred", fmt::format("{} of {}", all.came_back, all.replays));
  if (all.unconfirmed > 0) html += tile("seen once, not confirmed (log.txt)", grouped(all.unconfirmed));
  if (all.deaths > 0) html += tile("deaths of the peer", grouped(all.deaths), "bad");
  if (all.skipped > 0) html += tile("cannot be run here", grouped(all.skipped));
  if (all.calibrated > 0) html += tile("stability", fmt::format("{:.1f} %", all.stability()));
  if (all.resident_octets > 0) html += tile("most memory", fmt::format("{} MiB", all.resident_octets >> 20));
  if (all.descriptors > 0) html += tile("most descriptors", grouped(all.descriptors));
  return html + "</div>\n";
}

// ------------------------------------------------------------------------------------------------------------- plots

struct Curve {
  std::string_view name;
  std::uint64_t Statistics::Sample::*value;
};
constexpr Curve kCurves[] = {{"inputs", &Statistics::Sample::runs},
                             {"findings", &Statistics::Sample::findings},
                             {"answers in states", &Statistics::Sample::states},
                             {"rules exercised", &Statistics::Sample::rules},
                             {"edges, with hit counts", &Statistics::Sample::edges},
                             {"inputs in the corpus", &Statistics::Sample::corpus}};

// Plots the curve over time, from zero to the greatest value.
std::string plot(const Curve& curve, const Statistics& statistics) {
  constexpr double kWidth = 400, kHeight = 140, kTop = 8, kBottom = 22;
  const auto& samples = statistics.timeline;
  std::uint64_t most = 0;
  for (const auto& one : samples) most = std::max(most, one.*curve.value);
  if (samples.empty() || (most == 0 && curve.name != "findings")) return {};
  const double end = std::max(samples.back().seconds, 1e-3),
               high = static_cast<double>(std::max<std::uint64_t>(most, 1));
  const double foot = kHeight - kBottom;
  std::string points = fmt::format("0,{:.1f} ", foot);
  for (const auto& one : samples)
    points += fmt::format("{:.1f},{:.1f} ", one.seconds / end * kWidth,
                          foot - static_cast<double>(one.*curve.value) / high * (foot - kTop));
  return fmt::format(
      "<figure><figcaption>{0}: {1}</figcaption><svg viewBox=\"0 0 {2} {3}\" role=\"img\" aria-label=\"{0} over time\">"
      "<line x1=\"0\" y1=\"{4}\" x2=\"{2}\" y2=\"{4}\"/><polyline points=\"{5}\"/>"
      "<text x=\"0\" y=\"{6}\">0</text><text x=\"{2}\" y=\"{6}\" text-anchor=\"end\">{7}</text></svg></figure>\n",
      curve.name, grouped(samples.back().*curve.value), kWidth, kHeight, foot, points, kHeight - 6,
      time_of(samples.back().seconds));
}

// ---------------------------------------------------------------------------------------------------------- findings

std::string definition(std::string_view name, std::string_view value) {
  return value.empty() ? "" : fmt::format("<dt>{}</dt><dd><code>{}</code></dd>", name, escaped(value));
}

// The demand in words comes first, since the expected value of a field is often only a number.
std::string finding_cell(const FindingLine& one) {
  std::string html = fmt::format("<b>{}</b>", escaped(one.signature));
  if (!one.is_minimised) html += " <span class=\"mark\">not minimised yet</span>";
  if (!one.demand.empty()) html += fmt::format("<p>{}</p>", escaped(one.demand));
  return html + "<dl>" + definition("expected", one.expected) + definition("got", one.actual) +
         definition("in", one.shown_by) + "</dl>";
}

std::string findings_table(const std::vector<FindingLine>& findings) {
  if (findings.empty()) return "<p>There are none.</p>\n";
  std::string rows;
  for (const FindingLine& one : findings) {
    const std::string folder = escaped("findings/" + folder_name(one.signature));
    rows += fmt::format(
        "<tr><td>{0}</td><td class=\"n\" data-name=\"found by input\">{1}</td>"
        "<td class=\"n\" data-name=\"recurred\">{2} of {3}</td>"
        "<td><a href=\"{4}/finding.json\">finding</a> <a href=\"{4}/capture.pcapng\">capture</a></td></tr>\n",
        finding_cell(one), grouped(one.run), one.came_back, one.replays, folder);
  }
  return "<table class=\"findings blocks\"><tr><th>what was broken</th><th class=\"n\">found by input</th>"
         "<th class=\"n\">recurred</th><th></th></tr>\n" +
         rows + "</table>\n";
}

// ------------------------------------------------------------------------------------------------ what was reached

std::string states_table(const Reach& reach) {
  std::vector<std::pair<std::string_view, Reached>> states(reach.states.begin(), reach.states.end());
  std::ranges::stable_sort(states, {}, [](const auto& one) { return one.second.first; });
  std::string rows;
  for (const auto& [name, reached] : states)
    rows += fmt::format(
        "<tr><td><code>{}</code></td><td class=\"n\" data-name=\"inputs\">{}</td>"
        "<td class=\"n\" data-name=\"in the corpus\">{}</td>"
        "<td class=\"n\" data-name=\"first at\">{}</td></tr>\n",
        escaped(name), grouped(reached.inputs), grouped(reached.kept), grouped(reached.first));
  return "<table class=\"blocks\"><tr><th>answer</th><th class=\"n\">inputs</th><th class=\"n\">in the "
         "corpus</th><th class=\"n\">first at</th></tr>\n" +
         rows + "</table>\n";
}

struct Section {
  std::string_view name;
  std::size_t rules = 0, reached = 0;
  std::uint64_t inputs = 0;
  std::string missing = {};
};

std::vector<Section> sections_of(const Page& page) {
  std::vector<Section> sections;
  for (const Rule* rule : page.rules) {
    auto found = std::ranges::find(sections, rule->section, &Section::name);
    if (found == sections.end()) found = sections.insert(sections.end(), {.name = rule->section});
    ++found->rules;
    const auto reached = page.reach.rules.find(rule->id);
    if (reached == page.reach.rules.end()) {
      found->missing += (found->missing.empty() ? "" : " ") + std::string(rule->id);
      continue;
    }
    ++found->reached;
    found->inputs = std::max(found->inputs, reached->second.inputs);
  }
  return sections;
}

std::string sections_table(const Page& page) {
  std::string rows;
  for (const Section& one : sections_of(page)) {
    const double part = static_cast<double>(one.reached) / static_cast<double>(one.rules) * 100;
    rows += fmt::format(
        "<tr><td>{0}</td><td><svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" role=\"img\" "
        "aria-label=\"{1:.0f} percent\"><rect class=\"all\" width=\"100\" height=\"8\"/>"
        "<rect class=\"part\" width=\"{1:.1f}\" height=\"8\"/></svg></td><td class=\"n\" data-name=\"rules\">{2} of "
        "{3}</td>"
        "<td class=\"n\" data-name=\"inputs of the rule reached most\">{4}</td><td>{5}</td></tr>\n",
        escaped(one.name), part, one.reached, one.rules, grouped(one.inputs),
        one.missing.empty()
            ? ""
            : fmt::format("<details><summary>not exercised</summary><code>{}</code></details>", escaped(one.missing)));
  }
  return "<table class=\"blocks\"><tr><th>section</th><th></th><th class=\"n\">rules</th><th class=\"n\">inputs of "
         "the rule reached most</th><th></th>"
         "</tr>\n" +
         rows + "</table>\n";
}

}  // namespace

std::string page_of(const Page& page) {
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>"
      "<meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\">"
      "<style>{1}</style></head><body>\n<h1>{0}</h1>\n<p class=\"sub\">{2}</p>\n",
      escaped(page.title), kStyle, escaped(page.subtitle));
  html += tiles(page);
  html += "<h2>Findings</h2>\n" + findings_table(page.findings);
  html += "<h2>Over time</h2>\n<div class=\"plots\">\n";
  for (const Curve& one : kCurves) html += plot(one, page.statistics);
  html += "</div>\n<h2>Answers of the peer, by state</h2>\n" + states_table(page.reach);
  html += "<h2>Rules exercised, by section</h2>\n" + sections_table(page);
  return html + "</body></html>\n";
}

}  // namespace wirelaw::campaign
