// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/cases.h"

#include "conformance/umsp/cases/case_file.h"

namespace wirelaw::umsp {

std::vector<Breach> breaches_of(std::span<const BreachRow> rows) {
  std::vector<Breach> breaches;
  for (const BreachRow& row : rows)
    for (const std::string_view id : row.rules) breaches.emplace_back(row.deviation, rule(id), row.where);
  return breaches;
}

std::vector<Case> cases_of(std::span<const CaseRow> rows) {
  std::vector<Case> cases;
  const auto add = [&cases](const CaseRow& row, wirelaw::Role iut, rows::RoleRuns::Run run) {
    if (run == nullptr) return;
    std::vector<const Rule*> rules;
    for (const std::string_view id : row.rules) rules.push_back(&rule(id));
    cases.push_back({.id = row.id, .iut = iut, .rules = std::move(rules), .purpose = row.purpose, .run = run});
  };
  for (const CaseRow& row : rows) {
    add(row, wirelaw::Role::responder, row.run.responder);
    add(row, wirelaw::Role::initiator, row.run.initiator);
  }
  return cases;
}

namespace {

const std::vector<Theme>& themes() {
  static const std::vector<Theme> kThemes{opening_theme(),
                                          sharing_theme(),
                                          reopening_theme(),
                                          closing_theme(),
                                          closing_initiator_theme(),
                                          zero_session_theme(),
                                          search_theme(),
                                          sanction_theme(),
                                          task_activity_theme(),
                                          control_request_theme(),
                                          control_end_theme(),
                                          control_activity_theme(),
                                          job_initiator_theme(),
                                          sequences_theme(),
                                          transactions_theme(),
                                          buffers_theme(),
                                          sent_chains_theme(),
                                          addresses_theme(),
                                          exchange_theme(),
                                          asking_theme(),
                                          memory_theme(),
                                          control_theme(),
                                          synchronization_theme(),
                                          objects_theme(),
                                          made_objects_theme(),
                                          object_names_theme(),
                                          header_theme(),
                                          extension_theme(),
                                          operand_theme(),
                                          connection_theme(),
                                          datagram_theme(),
                                          response_theme()};
  return kThemes;
}

}  // namespace

const CaseSuite& suite() {
  static const CaseSuite kSuite = [] {
    std::vector<SectionCases> sections;
    for (const Theme& theme : themes()) sections.push_back({.rules = {}, .cases = theme.cases});
    return CaseSuite(std::move(sections));
  }();
  return kSuite;
}

std::span<const BreachList> breaches() {
  static const std::vector<BreachList> kLists = [] {
    std::vector<BreachList> lists;
    for (const Theme& theme : themes()) lists.push_back(theme.breaches);
    return lists;
  }();
  return kLists;
}

}  // namespace wirelaw::umsp
