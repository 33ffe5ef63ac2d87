// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/campaign/finding.h"

namespace wirelaw::campaign {
namespace {

constexpr std::string_view kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:60em;padding:0 1em;color:#222;background:#fff}"
    "h1{font-size:1.4em}h2{font-size:1.1em;margin-top:2em}table{border-collapse:collapse}"
    "td,th{padding:.2em 1em .2em 0;text-align:left;border-bottom:1px solid #ddd}td.n{text-align:right}"
    "svg{width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:#555}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}td,th{border-color:#444}"
    "svg text{fill:#aaa}a{color:#8bf}}";

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

struct Curve {
  std::string_view name, colour;
  std::uint64_t Statistics::Sample::*value;
};
constexpr Curve kCurves[] = {{"features", "#27c", &Statistics::Sample::features},
                             {"corpus", "#292", &Statistics::Sample::corpus},
                             {"findings", "#c33", &Statistics::Sample::findings}};

// Each over the runs, from zero.
std::string plot(const Curve& curve, const Statistics& statistics) {
  constexpr double kWidth = 800, kHeight = 160, kLeft = 60, kBottom = 20;
  const auto& samples = statistics.timeline;
  if (samples.empty()) return {};
  std::uint64_t most = 1;
  for (const auto& one : samples) most = std::max(most, one.*curve.value);
  const double runs = static_cast<double>(std::max<std::uint64_t>(samples.back().runs, 1));
  std::string points;
  for (const auto& one : samples)
    points +=
        fmt::format("{:.1f},{:.1f} ", kLeft + static_cast<double>(one.runs) / runs * (kWidth - kLeft),
                    (kHeight - kBottom) * (1 - static_cast<double>(one.*curve.value) / static_cast<double>(most)) + 4);
  return fmt::format(
      "<h2>{0}</h2><svg viewBox=\"0 0 {1} {2}\" role=\"img\" aria-label=\"{0} over runs\">"
      "<polyline fill=\"none\" stroke=\"{3}\" stroke-width=\"2\" points=\"{4}\"/>"
      "<text x=\"0\" y=\"14\">{5}</text><text x=\"0\" y=\"{6}\">0</text>"
      "<text x=\"{1}\" y=\"{2}\" text-anchor=\"end\">{7} runs</text></svg>\n",
      curve.name, kWidth, kHeight, curve.colour, points, most, kHeight - kBottom + 4, samples.back().runs);
}

std::string findings_table(std::span<const std::string> signatures) {
  if (signatures.empty()) return "<p>There are no findings.</p>\n";
  std::string rows;
  for (const std::string& one : signatures) {
    const std::string folder = "findings/" + folder_name(one);
    rows += fmt::format(
        "<tr><td>{0}</td><td><a href=\"{1}/finding.json\">finding</a></td>"
        "<td><a href=\"{1}/capture.pcapng\">capture</a></td></tr>\n",
        escaped(one), escaped(folder));
  }
  return "<table>\n" + rows + "</table>\n";
}

std::string numbers_table(const Statistics& all) {
  const std::pair<std::string_view, std::uint64_t> numbers[] = {
      {"runs", all.runs},
      {"conversations, those of replays included", all.executions},
      {"seconds", static_cast<std::uint64_t>(all.seconds)},
      {"inputs in the corpus", all.corpus},
      {"features reached", all.features},
      {"run that last reached something new", all.last_new},
      {"findings", all.findings},
      {"breaches that did not come back", all.unconfirmed},
      {"deaths of the peer", all.deaths}};
  std::string rows;
  for (const auto& [name, value] : numbers)
    rows += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td></tr>\n", name, value);
  return "<table>\n" + rows + "</table>\n";
}

}  // namespace

std::string page_of(std::string_view title, const Statistics& statistics, std::span<const std::string> signatures) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>"
      "<meta name=\"viewport\" content=\"width=device-width\"><style>{1}</style></head><body>\n<h1>{0}</h1>\n",
      escaped(title), kStyle);
  page += numbers_table(statistics);
  page += "<h2>Findings</h2>\n" + findings_table(signatures);
  for (const Curve& one : kCurves) page += plot(one, statistics);
  return page + "</body></html>\n";
}

}  // namespace wirelaw::campaign
