// SPDX-License-Identifier: Apache-2.0
#include "reports/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/html/page.h"
#include "reports/markdown.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

const MatrixCell* cell_at(const Matrix& matrix, const std::string& row, const std::string& column) {
  const auto found = std::ranges::find_if(
      matrix.cells, [&](const MatrixCell& one) { return one.place.row == row && one.place.column == column; });
  return found == matrix.cells.end() ? nullptr : &*found;
}

// "2 failed, 1 warned, 49 passed", without what there is none of.
std::string counts_of(const Standing& standing) {
  std::string text;
  for (const auto& [count, word] : {std::pair{standing.failed, "failed"}, std::pair{standing.warned, "warned"},
                                    std::pair{standing.passed, "passed"}})
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
  return text;
}

// A rule that failed somewhere, and its verdict in each of the cells.
struct FailedRule {
  const ResultFile::Rule* rule = nullptr;
  std::vector<std::string> verdicts = {};
};

std::vector<FailedRule> failed_rules(const Matrix& matrix) {
  std::vector<FailedRule> failed;
  std::map<std::string, std::size_t> place_of;
  for (const MatrixCell& cell : matrix.cells)
    for (const ResultFile::Rule& rule : cell.result.rules)
      if (rule.verdict == "fail" && place_of.try_emplace(rule.id, failed.size()).second)
        failed.push_back({.rule = &rule, .verdicts = std::vector<std::string>(matrix.cells.size())});
  for (std::size_t i = 0; i < matrix.cells.size(); ++i)
    for (const ResultFile::Rule& rule : matrix.cells[i].result.rules)
      if (const auto found = place_of.find(rule.id); found != place_of.end())
        failed[found->second].verdicts[i] = rule.verdict;
  return failed;
}

std::string name_of(const MatrixPlace& place) {
  return fmt::format("{}, {}", place.row, place.column);
}

}  // namespace

tl::expected<MatrixPlace, std::string> matrix_place(std::string_view text) {
  const std::size_t equals = text.find('='), slash = text.substr(0, equals).find('/');
  if (equals == std::string_view::npos || slash == std::string_view::npos || slash == 0 || slash + 1 == equals ||
      equals + 1 == text.size())
    return tl::make_unexpected(fmt::format(
        "'{}' does not name a row and a column; write ROW/COLUMN=FILE, for example siw/6.1=siw.json", printable(text)));
  return MatrixPlace{.row = std::string(text.substr(0, slash)),
                     .column = std::string(text.substr(slash + 1, equals - slash - 1)),
                     .file = std::string(text.substr(equals + 1))};
}

Standing standing_of(const ResultFile& result) {
  Standing standing;
  for (const ResultFile::Rule& rule : result.rules) {
    standing.failed += rule.verdict == "fail";
    standing.warned += rule.verdict == "warned";
    standing.passed += rule.verdict == "pass";
  }
  if (result.end != "complete")
    standing.word = result.end;
  else if (standing.failed > 0)
    standing.word = "fail";
  else if (standing.warned > 0)
    standing.word = "warned";
  else
    standing.word = standing.passed > 0 ? "pass" : "nothing";
  return standing;
}

tl::expected<Matrix, std::string> matrix_of(std::vector<MatrixCell> cells) {
  Matrix matrix;
  for (const MatrixCell& one : cells) {
    if (cell_at(matrix, one.place.row, one.place.column))
      return tl::make_unexpected(
          fmt::format("two results are given for {}/{}", printable(one.place.row), printable(one.place.column)));
    add_once(matrix.rows, one.place.row);
    add_once(matrix.columns, one.place.column);
    matrix.cells.push_back(one);
  }
  return matrix;
}

void write_matrix_markdown(const Matrix& matrix, Output& out) {
  out.put("| |");
  for (const std::string& column : matrix.columns) out.print(" {} |", in_markdown(column));
  out.put("\n|---|");
  for (std::size_t i = 0; i < matrix.columns.size(); ++i) out.put("---|");
  for (const std::string& row : matrix.rows) {
    out.print("\n| **{}** |", in_markdown(row));
    for (const std::string& column : matrix.columns) {
      const MatrixCell* const cell = cell_at(matrix, row, column);
      if (!cell) {
        out.put(" |");
        continue;
      }
      const Standing standing = standing_of(cell->result);
      const std::string word = in_markdown(standing.word), &report = cell->place.report;
      out.print(" **{}**<br>{} |", report.empty() ? word : fmt::format("[{}]({})", word, report), counts_of(standing));
    }
  }
  out.put("\n");
  const auto failed = failed_rules(matrix);
  if (failed.empty()) return;
  out.put("\n| rule |");
  for (const MatrixCell& cell : matrix.cells) out.print(" {} |", in_markdown(name_of(cell.place)));
  out.put("\n|---|");
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) out.put("---|");
  for (const FailedRule& one : failed) {
    out.print("\n| **{}** {}<br>{} |", in_markdown(one.rule->id), in_markdown(one.rule->level),
              in_markdown(one.rule->summary));
    for (const std::string& verdict : one.verdicts) {
      const std::string_view mark = verdict == "fail" ? "**" : "";
      out.print(" {}{}{} |", mark, in_markdown(verdict), mark);
    }
  }
  out.put("\n");
}

void write_matrix_html(const Matrix& matrix, std::string_view version, Output& out) {
  using html::put;
  std::string page;
  html::begin(page, "Wirelaw: results side by side");
  page += "<h1>Results side by side</h1>\n<div class=\"scroll\"><table><thead><tr><th></th>";
  for (const std::string& column : matrix.columns) put(page, "<th>{}</th>", column);
  page += "</tr></thead><tbody>\n";
  for (const std::string& row : matrix.rows) {
    put(page, "<tr><th scope=\"row\">{}</th>", row);
    for (const std::string& column : matrix.columns) {
      const MatrixCell* const cell = cell_at(matrix, row, column);
      if (!cell) {
        page += "<td></td>";
        continue;
      }
      const Standing standing = standing_of(cell->result);
      put(page, "<td title=\"{}\">", cell->place.file);
      if (!cell->place.report.empty()) put(page, "<a href=\"{}\">", cell->place.report);
      put(page, "{}{}<br><span class=\"dim\">{}</span></td>", html::badge(standing.word),
          html::Markup{cell->place.report.empty() ? "" : "</a>"}, counts_of(standing));
    }
    page += "</tr>\n";
  }
  page += "</tbody></table></div>\n";
  const auto failed = failed_rules(matrix);
  if (!failed.empty()) {
    page += "<h2>Rules that failed</h2>\n<div class=\"scroll\"><table><thead><tr><th>rule</th>";
    for (const MatrixCell& cell : matrix.cells) put(page, "<th>{}</th>", name_of(cell.place));
    page += "</tr></thead><tbody>\n";
    for (const FailedRule& one : failed) {
      put(page, "<tr><td class=\"wrap\"><b>{}</b> {}, {}<br><span class=\"dim\">{}</span></td>", one.rule->id,
          one.rule->level, html::section(one.rule->section), one.rule->summary);
      for (const std::string& verdict : one.verdicts)
        if (verdict.empty())
          page += "<td></td>";
        else
          put(page, "<td>{}</td>", html::badge(verdict));
      page += "</tr>\n";
    }
    page += "</tbody></table></div>\n";
  }
  html::end(page, version);
  out.put(page);
}

}  // namespace wirelaw
