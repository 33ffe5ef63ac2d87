// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/cases.h"

#include <vector>

#include "conformance/rdmap/ddp/cases.h"
#include "conformance/rdmap/driven.h"
#include "conformance/rdmap/mpa/cases.h"
#include "conformance/rdmap/section_cases.h"
#include "conformance/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {

std::span<const SectionCases> wire_sections() {
  // MPA's rules stand with its sections.
  static const SectionCases kSections[] = {control_field_cases(),
                                           write_cases(),
                                           read_cases(),
                                           send_cases(),
                                           ordering_cases(),
                                           initialization_cases(),
                                           validation_cases(),
                                           terminate_header_cases(),
                                           terminate_message_cases(),
                                           teardown_cases(),
                                           error_cases(),
                                           error_surfacing_cases(),
                                           extension_cases(),
                                           security_cases(),
                                           ddp_control_cases(),
                                           ddp_data_transfer_cases(),
                                           ddp_version_cases(),
                                           ddp_validation_cases(),
                                           {.rules = {}, .cases = mpa_framing_cases()},
                                           {.rules = {}, .cases = mpa_marker_cases()},
                                           {.rules = {}, .cases = mpa_start_frame_cases()},
                                           {.rules = {}, .cases = mpa_startup_cases()},
                                           {.rules = {}, .cases = mpa_enhanced_cases()}};
  return kSections;
}

std::span<const SectionCases> all_sections() {
  static const std::vector<SectionCases> kSections = [] {
    const auto wire = wire_sections();
    std::vector<SectionCases> sections(wire.begin(), wire.end());
    sections.push_back(verbs_cases());
    return sections;
  }();
  return kSections;
}

std::span<const Case> all_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    for (const SectionCases& section : all_sections())
      cases.insert(cases.end(), section.cases.begin(), section.cases.end());
    return cases;
  }();
  return kCases;
}

std::span<const RuleList> case_rules() {
  static const std::vector<RuleList> kRules = [] {
    std::vector<RuleList> lists;
    for (const SectionCases& section : all_sections()) lists.push_back(section.rules);
    return lists;
  }();
  return kRules;
}

}  // namespace wirelaw::rdmap
