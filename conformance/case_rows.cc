// SPDX-License-Identifier: Apache-2.0
#include "conformance/case_rows.h"

#include <fmt/format.h>

#include <deque>
#include <mutex>

namespace wirelaw::rows {
namespace {

// A Case only holds views of its texts. This keeps the composed ones.
std::string_view kept(std::string text) {
  static std::mutex mutex;
  static std::deque<std::string> texts;
  const std::scoped_lock lock(mutex);
  return texts.emplace_back(std::move(text));
}

}  // namespace

void add_cases(std::vector<Case>& cases, const CaseText& text, const RoleBodies& bodies, const RoleWords& words) {
  const std::string_view purpose = kept(text.purpose);
  const auto add = [&](std::string_view role, Role iut, const std::function<void(CaseRun&)>& run) {
    if (!run) return;
    cases.push_back({.id = kept(fmt::format(fmt::runtime(text.id), role)),
                     .iut = iut,
                     .rules = text.rules,
                     .purpose = purpose,
                     .needs = text.needs,
                     .run = run});
  };
  add(words.responder, Role::responder, bodies.responder);
  add(words.initiator, Role::initiator, bodies.initiator);
}

void add_cases(std::vector<Case>& cases, std::span<const CaseRow> rows, const RoleWords& words) {
  for (const CaseRow& row : rows)
    add_cases(cases, CaseText{std::string(row.id), row.rules, std::string(row.purpose), row.needs},
              RoleBodies{row.run.responder, row.run.initiator}, words);
}

std::vector<Case> cases_of(std::span<const CaseRow> rows, const RoleWords& words) {
  return cases_of_tables({rows}, words);
}

std::vector<Case> cases_of_tables(std::initializer_list<std::span<const CaseRow>> tables, const RoleWords& words) {
  std::vector<Case> cases;
  for (const std::span<const CaseRow> rows : tables) add_cases(cases, rows, words);
  return cases;
}

}  // namespace wirelaw::rows
