// SPDX-License-Identifier: Apache-2.0
#include "reports/peers_html.h"

#include "reports/html/page.h"
#include "reports/peers_matrix.h"

namespace wirelaw {
namespace {

using html::put;

// The texts of a list are our own Markdown: removes the marks around code.
std::string without_marks(std::string_view text) {
  std::string plain;
  for (const char c : text)
    if (c != '`') plain += c;
  return plain;
}

void put_cell(std::string& page, const PeersCell& cell) {
  if (cell.runs.empty()) {
    page += "<td><span class=\"dim\" title=\"not tested\">&#8211;</span></td>";
    return;
  }
  std::string runs;
  for (const PeerRun* run : cell.runs) runs += (runs.empty() ? "" : ", ") + run->name();
  put(page, "<td title=\"{}\">{}", runs, html::badge(cell.word()));
  if (const std::string causes = causes_of(cell); !causes.empty()) put(page, "<br>{}", causes);
  put(page, "<br><span class=\"dim\">{} of {} rules</span></td>", cell.judged - cell.failed, cell.judged);
}

void put_head(std::string& page, const PeersMatrix& matrix) {
  page += "<thead><tr><th rowspan=\"2\">peer</th>";
  for (std::size_t i = 0; i < matrix.columns.size();) {
    std::size_t end = i;
    while (end < matrix.columns.size() && matrix.columns[end].protocol == matrix.columns[i].protocol) ++end;
    put(page, "<th scope=\"colgroup\" colspan=\"{}\">{}</th>", end - i, matrix.columns[i].protocol);
    i = end;
  }
  page += "</tr><tr>";
  for (const PeersColumn& one : matrix.columns) put(page, "<th scope=\"col\">{}</th>", one.role);
  page += "</tr></thead>";
}

void put_matrix(std::string& page, const PeersMatrix& matrix, std::string_view pages) {
  page += "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Peers and roles\"><table>";
  put_head(page, matrix);
  page += "<tbody>\n";
  for (const PeersRow& row : matrix.rows) {
    put(page, "<tr><th scope=\"row\"><a href=\"{}{}.md\">{}</a><br><span class=\"dim\">{}</span></th>", pages,
        row.peer->id, row.peer->name, row.version);
    for (const PeersCell& cell : row.cells) put_cell(page, cell);
    page += "</tr>\n";
  }
  page += "</tbody></table></div>\n";
}

void put_findings(std::string& page, const PeerPage& peer, std::string_view pages) {
  put(page, "<h2>{}</h2>\n", peer.name);
  if (peer.causes.empty()) {
    page += "<p>Nothing failed.</p>\n";
    return;
  }
  page += "<ul>\n";
  for (const PeerCause& cause : peer.causes)
    put(page, "<li>{} <a href=\"{}{}.md#{}\">{}</a></li>\n", html::badge(cause.severity), pages, peer.id, cause.id,
        without_marks(cause.title));
  page += "</ul>\n";
}

}  // namespace

void write_peers_html(const PeerList& list, std::string_view pages, std::string_view version, Output& out) {
  std::string page;
  html::begin(page, "Wirelaw: peers");
  page +=
      "<h1>Peers</h1>\n<p>What Wirelaw found in third-party implementations. A cell shows the worst severity, the "
      "findings by severity, and how many of the judged rules the peer kept.</p>\n";
  put_matrix(page, peers_matrix_of(list), pages);
  page += "<dl>\n";
  for (const PeerSeverity& one : kSeverities) put(page, "<dt>{}</dt><dd>{}</dd>\n", html::badge(one.name), one.meaning);
  page += "</dl>\n";
  for (const PeerPage& peer : list.peers) put_findings(page, peer, pages);
  page += "<h2>Set-up and limits</h2>\n";
  for (const std::string& one : list.setup) put(page, "<p>{}</p>\n", without_marks(one));
  html::end(page, version);
  out.put(page);
}

}  // namespace wirelaw
