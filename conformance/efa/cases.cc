// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/cases.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/efa/cases/case_file.h"
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

const Rule& rule_of(std::string_view id) {
  for (const SectionRules& section : rule_sections())
    for (const Rule* rule : section.rules)
      if (rule->id == id) return *rule;
  throw std::logic_error("a case names the rule " + std::string(id) + ", which is not there");
}

std::vector<const Rule*> trace_rules(std::initializer_list<std::string_view> globs) {
  std::vector<const Rule*> some;
  for (const SectionRules& section : rule_sections())
    for (const Rule* rule : section.rules)
      if (rule->observable == Observable::trace &&
          std::ranges::any_of(globs, [&](std::string_view glob) { return matches_glob(glob, rule->id); }))
        some.push_back(rule);
  return some;
}

const CaseSuite& suite() {
  static const CaseSuite kSuite{
      s1_3_cases(),
      s2_1_cases(),
      s2_2_cases(),
      s3_1_cases(),
      s3_2_msg_id_cases(),
      s3_2_eager_cases(),
      s3_2_medium_cases(),
      s3_2_longcts_cases(),
      s3_2_cts_cases(),
      s3_2_truncated_cases(),
      requester_run_cases(),
      s3_2_requester_cases(),
      s3_3_write_cases(),
      s3_3_read_cases(),
      s3_3_atomic_cases(),
      s3_3_requester_cases(),
      s4_1_cases(),
      s4_2_cases(),
      s4_2_requester_cases(),
      s4_4_cases(),
      s4_5_cases(),
      s4_6_cases(),
      s4_7_cases(),
      s4_8_cases(),
      later_peer_error_cases(),
      padding_cases(),
      stray_answer_cases(),
      application_endpoint_cases(),
      application_message_cases(),
      application_one_sided_cases(),
      application_delivery_cases(),
      application_rdma_cases(),
  };
  return kSuite;
}

std::span<const BreachList> breaches() {
  static const std::vector<BreachList> kBreaches = [] {
    std::vector<BreachList> all;
    for (const SectionRules& section : rule_sections()) all.push_back(section.breaches);
    for (const SectionCases& section : suite().sections()) all.push_back(section.breaches);
    return all;
  }();
  return kBreaches;
}

bool is_broken_by(const Breach& breach, wirelaw::Role role) {
  const wirelaw::Role who = breach.where.who == kEither ? breach.rule->subject : breach.where.who;
  return who == kEither || who == role;
}

}  // namespace wirelaw::efa
