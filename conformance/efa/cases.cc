// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/cases.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "conformance/efa/case_file.h"
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

const Rule& traced(std::string_view id) {
  for (const RuleList& list : all_rules())
    for (const Rule* rule : list)
      if (rule->id == id) return *rule;
  throw std::logic_error("a case names the rule " + std::string(id) + ", which is not there");
}

std::vector<const Rule*> all_traced(std::initializer_list<std::string_view> globs) {
  std::vector<const Rule*> some;
  for (const RuleList& list : all_rules())
    for (const Rule* rule : list)
      if (rule->observable == Observable::trace &&
          std::ranges::any_of(globs, [&](std::string_view glob) { return matches_glob(glob, rule->id); }))
        some.push_back(rule);
  return some;
}

std::span<const SectionCases> all_sections() {
  static const SectionCases kSections[] = {
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
      padding_cases(),
      stray_cases(),
      application_endpoint_cases(),
      application_message_cases(),
      application_one_sided_cases(),
      application_delivery_cases(),
      application_rdma_cases(),
  };
  return kSections;
}

std::span<const Case> all_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> all;
    for (const SectionCases& section : all_sections())
      all.insert(all.end(), section.cases.begin(), section.cases.end());
    return all;
  }();
  return kCases;
}

std::span<const RuleList> case_rules() {
  static const std::vector<RuleList> kRules = [] {
    std::vector<RuleList> all;
    for (const SectionCases& section : all_sections()) all.push_back(section.rules);
    return all;
  }();
  return kRules;
}

}  // namespace wirelaw::efa
