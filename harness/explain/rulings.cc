// SPDX-License-Identifier: Apache-2.0
#include "harness/explain/rulings.h"

#include <algorithm>
#include <string>

#include "harness/explain/known_texts.h"

namespace wirelaw {
namespace {

using Member = std::string Ruling::*;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string_view> cells_of(std::string_view row) {
  std::vector<std::string_view> cells;
  row.remove_prefix(1);
  for (std::size_t end; (end = row.find('|')) != std::string_view::npos; row.remove_prefix(end + 1))
    cells.push_back(trimmed(row.substr(0, end)));
  return cells;
}

// The field for a column, by its heading; nullptr: the column is not kept.
Member member_of(std::string_view head) {
  struct Column {
    std::string_view begins;
    Member member;
  };
  static constexpr Column kColumns[] = {{"no.", &Ruling::id},
                                        {"where", &Ruling::where},
                                        {"point", &Ruling::point},
                                        {"ruling", &Ruling::ruling},
                                        {"what deployed", &Ruling::deployed}};
  const auto found = std::ranges::find_if(kColumns, [&](const Column& one) { return head.starts_with(one.begins); });
  return found == std::end(kColumns) ? nullptr : found->member;
}

}  // namespace

std::vector<Ruling> rulings_of_page(std::string_view protocol, std::string_view page) {
  std::vector<Ruling> rulings;
  std::vector<Member> columns;  // the columns of the table that the line is in
  std::string theme;
  while (!page.empty()) {
    const std::size_t end = std::min(page.find('\n'), page.size());
    const std::string_view line = page.substr(0, end);
    page.remove_prefix(std::min(end + 1, page.size()));
    if (line.starts_with("## ")) theme = trimmed(line.substr(3));
    if (!line.starts_with('|')) {
      columns.clear();
      continue;
    }
    const auto cells = cells_of(line);
    if (columns.empty()) {
      if (!cells.empty() && cells[0] == "no.") std::ranges::transform(cells, std::back_inserter(columns), member_of);
      continue;
    }
    Ruling one{.protocol = std::string(protocol), .theme = theme};
    for (std::size_t i = 0; i < std::min(cells.size(), columns.size()); ++i)
      if (columns[i] != nullptr) one.*columns[i] = cells[i];
    if (!one.id.empty() && !one.id.starts_with('-')) rulings.push_back(std::move(one));
  }
  return rulings;
}

const std::vector<Ruling>& all_rulings() {
  static const std::vector<Ruling> kRulings = [] {
    std::vector<Ruling> all;
    for (const KnownTexts& texts : known_texts())
      for (Ruling& one : rulings_of_page(texts.protocol, texts.interpretations)) all.push_back(std::move(one));
    return all;
  }();
  return kRulings;
}

}  // namespace wirelaw
