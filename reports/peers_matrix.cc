// SPDX-License-Identifier: Apache-2.0
#include "reports/peers_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/markdown.h"

namespace wirelaw {
namespace {

// Causes of the last severity are not counted.
constexpr std::size_t kHeld = kSeverities.size() - 1;

bool is_shown_in(const PeerRun& run, const PeerCause& cause) {
  if (std::ranges::any_of(run.result.findings,
                          [&](const auto& one) { return is_violation(one) && is_shown_by(cause, one); }))
    return true;
  const auto alone = cases_without_finding(run.result);
  return std::ranges::any_of(run.result.cases,
                             [&](const auto& one) { return alone.contains(one.id) && is_shown_by(cause, one); });
}

void count_rules(PeersCell& cell) {
  std::map<std::string_view, bool> failed;  // judged rules; true: failed
  for (const PeerRun* run : cell.runs)
    for (const ResultFile::Rule& rule : run->result.rules)
      if (rule.protocol == run->protocol &&
          (rule.verdict == "fail" || rule.verdict == "pass" || rule.verdict == "warned"))
        failed[rule.id] |= rule.verdict == "fail";
  cell.judged = failed.size();
  cell.failed = static_cast<std::size_t>(std::ranges::count_if(failed, [](const auto& one) { return one.second; }));
}

void count_causes(const PeerPage& peer, PeersCell& cell) {
  for (const PeerCause& cause : peer.causes)
    if (std::ranges::any_of(cell.runs, [&](const PeerRun* run) { return is_shown_in(*run, cause); }))
      ++cell.causes[rank_of(cause.severity)];
}

std::vector<PeersColumn> columns_of(const PeerList& list) {
  std::vector<PeersColumn> columns;
  for (const PeerPage& peer : list.peers)
    for (const PeerRun& run : peer.runs) {
      const PeersColumn column{run.protocol, run.role};
      if (std::ranges::count(columns, column) > 0) continue;
      const auto last = std::find_if(columns.rbegin(), columns.rend(),
                                     [&](const PeersColumn& one) { return one.protocol == run.protocol; });
      columns.insert(last == columns.rend() ? columns.end() : last.base(), column);
    }
  return columns;
}

PeersRow& row_of(PeersMatrix& matrix, const PeerPage& peer, const std::string& version) {
  const auto found = std::ranges::find_if(
      matrix.rows, [&](const PeersRow& one) { return one.peer == &peer && one.version == version; });
  if (found != matrix.rows.end()) return *found;
  return matrix.rows.emplace_back(PeersRow{&peer, version, std::vector<PeersCell>(matrix.columns.size())});
}

}  // namespace

std::string_view PeersCell::word() const {
  for (std::size_t i = 0; i < kHeld; ++i)
    if (causes[i] > 0) return kSeverities[i].name;
  return judged > 0 ? "pass" : "nothing";
}

PeersMatrix peers_matrix_of(const PeerList& list) {
  PeersMatrix matrix{.columns = columns_of(list), .rows = {}};
  for (const PeerPage& peer : list.peers)
    for (const PeerRun& run : peer.runs) {
      const auto column = std::ranges::find(matrix.columns, PeersColumn{run.protocol, run.role});
      row_of(matrix, peer, run.version)
          .cells[static_cast<std::size_t>(column - matrix.columns.begin())]
          .runs.push_back(&run);
    }
  for (PeersRow& row : matrix.rows)
    for (PeersCell& cell : row.cells) {
      count_rules(cell);
      count_causes(*row.peer, cell);
    }
  return matrix;
}

std::string causes_of(const PeersCell& cell) {
  std::string text;
  for (std::size_t i = 0; i < kHeld; ++i)
    if (cell.causes[i] > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", cell.causes[i], kSeverities[i].name);
  return text;
}

void put_peers_matrix(const PeersMatrix& matrix, std::string_view pages, Output& out) {
  out.put("| |");
  for (const PeersColumn& one : matrix.columns)
    out.print(" {}<br>{} |", in_markdown(one.protocol), in_markdown(one.role));
  out.put("\n|---|");
  for (std::size_t i = 0; i < matrix.columns.size(); ++i) out.put("---|");
  for (const PeersRow& row : matrix.rows) {
    out.print("\n| [**{}**]({}{}.md)<br>{} |", in_markdown(row.peer->name), pages, row.peer->id,
              in_markdown(row.version));
    for (const PeersCell& cell : row.cells) {
      if (cell.runs.empty()) {
        out.put(" |");
        continue;
      }
      const std::string causes = causes_of(cell);
      out.print(" **{}**<br>{} of {} rules |", causes.empty() ? in_markdown(cell.word()) : causes,
                cell.judged - cell.failed, cell.judged);
    }
  }
  out.put("\n");
}

}  // namespace wirelaw
