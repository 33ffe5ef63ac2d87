// SPDX-License-Identifier: Apache-2.0
#include "conformance/case_rows.h"

#include <fmt/format.h>

#include <deque>
#include <mutex>

namespace wirelaw {
namespace {

void add(std::vector<Case>& cases, const CaseRow& row, Role iut, std::string_view word) {
  const bool responds = iut == Role::responder;
  const std::function<void(CaseRun&)>& run = responds ? row.run.responder : row.run.initiator;
  const std::vector<const Rule*>& also = responds ? row.also_responder : row.also_initiator;
  if (!run) return;
  const bool names_role = row.id.find("{}") != row.id.npos;
  Case& one = cases.emplace_back(Case{.id = names_role ? kept(fmt::format(fmt::runtime(row.id), word)) : row.id,
                                      .iut = iut,
                                      .rules = row.rules,
                                      .purpose = row.purpose,
                                      .needs = row.needs,
                                      .run = run,
                                      .takes_application = row.takes_application});
  one.rules.insert(one.rules.end(), also.begin(), also.end());
}

}  // namespace

std::string_view kept(std::string text) {
  static std::mutex mutex;
  static std::deque<std::string> texts;
  const std::scoped_lock lock(mutex);
  return texts.emplace_back(std::move(text));
}

void add_cases(std::vector<Case>& cases, std::span<const CaseRow> rows, const RoleWords& words) {
  for (const CaseRow& row : rows) {
    add(cases, row, Role::responder, words.responder);
    add(cases, row, Role::initiator, words.initiator);
  }
}

std::vector<Case> cases_of(std::span<const CaseRow> rows, const RoleWords& words) {
  std::vector<Case> cases;
  add_cases(cases, rows, words);
  return cases;
}

std::vector<Case> cases_of_tables(std::initializer_list<std::span<const CaseRow>> tables) {
  std::vector<Case> cases;
  for (const std::span<const CaseRow> rows : tables) add_cases(cases, rows);
  return cases;
}

}  // namespace wirelaw
