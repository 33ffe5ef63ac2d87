// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "reports/html/page.h"
#include "reports/interop.h"
#include "reports/sarif.h"

namespace wirelaw {
namespace {

using html::put;

bool has(const InteropCell& cell, std::string_view file) {
  return std::ranges::find(cell.files, file) != cell.files.end();
}

std::string link_to(const InteropCell& cell, std::string_view file) {
  return uri_reference(fmt::format("{}/{}", cell.folder, file));
}

// Returns the name of the colour, which is that of a verdict.
std::string_view colour_of(InteropState state) {
  switch (state) {
    case InteropState::pass:
      return "pass";
    case InteropState::unsupported:
      return "skipped";
    case InteropState::no_verdict:
      return "inconclusive";
    default:
      return "fail";
  }
}

void put_state(std::string& page, const InteropCell& cell) {
  const bool has_report = has(cell, "report.html");
  if (has_report) put(page, "<a href=\"{}\">", link_to(cell, "report.html"));
  put(page, "<b class=\"v-{}\">{}</b>", colour_of(cell.state), to_string(cell.state));
  if (has_report) page += "</a>";
}

void put_files(std::string& page, const InteropCell& cell) {
  std::string_view between = "";
  for (const std::string& file : cell.files) {
    put(page, "{}<a href=\"{}\">{}</a>", between, link_to(cell, file), file);
    between = ", ";
  }
}

void put_cell(std::string& page, const InteropCell& cell) {
  page += "<td>";
  put_state(page, cell);
  page += "<br><span class=\"dim\">";
  if (has(cell, "both.pcapng"))
    put(page, "<a href=\"{}\">capture</a>", link_to(cell, "both.pcapng"));
  else
    page += "not run";
  if (cell.warned > 0) put(page, ", {} warned", cell.warned);
  page += "</span></td>";
}

void put_table(std::string& page, const InteropResults& results) {
  page += "<div class=\"scroll\"><table><thead><tr><th>initiator → responder</th>";
  for (const std::string& scenario : results.scenarios) put(page, "<th>{}</th>", scenario);
  page += "</tr></thead><tbody>\n";
  for (const std::string& pair : results.pairs) {
    put(page, "<tr><th scope=\"row\">{}</th>", pair);
    for (const std::string& scenario : results.scenarios) {
      const auto found = std::ranges::find_if(
          results.cells, [&](const InteropCell& one) { return one.scenario == scenario && pair_of(one) == pair; });
      if (found == results.cells.end())
        page += "<td></td>";
      else
        put_cell(page, *found);
    }
    page += "</tr>\n";
  }
  page += "</tbody></table></div>\n";
}

void put_reasons(std::string& page, const InteropResults& results) {
  page +=
      "<h2>Cells that are not green</h2>\n<div class=\"scroll\"><table "
      "class=\"stack\"><thead><tr><th>cell</th><th>state</th>"
      "<th>reason</th><th>broken rules</th><th>files</th></tr></thead><tbody>\n";
  for (const InteropCell& cell : results.cells) {
    if (cell.state == InteropState::pass) continue;
    put(page, "<tr><td>{}<br><span class=\"dim\">{}</span></td><td>", pair_of(cell), cell.scenario);
    put_state(page, cell);
    put(page, "</td><td class=\"wrap\">{}</td><td class=\"wrap\">", cell.reason);
    for (const InteropBreach& one : cell.breaches)
      put(page, "<b>{}</b> {}, by the {}<br><span class=\"dim\">{}</span><br>", one.rule, one.level,
          one.side == "both" ? "initiator and the responder" : one.side, one.summary);
    page += "</td><td class=\"wrap\">";
    put_files(page, cell);
    page += "</td></tr>\n";
  }
  page += "</tbody></table></div>\n";
}

}  // namespace

void write_interop_html(const InteropResults& results, std::string_view version, Output& out) {
  std::string page;
  html::begin(page, fmt::format("Wirelaw: interoperability of {}", results.protocol));
  put(page, "<h1>Interoperability: {}</h1>\n", results.protocol);
  page +=
      "<p>A cell is green only if both sides kept every rule and the data arrived. Each cell links to its report and "
      "its capture.</p>\n";
  put_table(page, results);
  const auto is_red = [](const InteropCell& one) { return one.state != InteropState::pass; };
  if (std::ranges::any_of(results.cells, is_red)) put_reasons(page, results);
  html::end(page, version);
  out.put(page);
}

}  // namespace wirelaw
