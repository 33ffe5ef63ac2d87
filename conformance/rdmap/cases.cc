// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/cases.h"

#include <vector>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/ddp/cases.h"
#include "conformance/rdmap/mpa/cases.h"
#include "conformance/rdmap/probes/driven.h"
#include "conformance/rdmap/rdmap/section_cases.h"
#include "conformance/rdmap/rdmap/terminate_cases.h"

namespace wirelaw::rdmap {

std::span<const SectionCases> wire_sections() {
  // MPA's rules are with its sections.
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
                                           extension_refusal_cases(),
                                           shared_stag_cases(),
                                           security_cases(),
                                           ddp_control_cases(),
                                           ddp_tagged_cases(),
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

const CaseSuite& suite() {
  static const CaseSuite kSuite = [] {
    const auto wire = wire_sections();
    std::vector<SectionCases> sections(wire.begin(), wire.end());
    sections.push_back(verbs_cases());
    return CaseSuite(std::move(sections));
  }();
  return kSuite;
}

std::span<const BreachList> breaches() {
  static const std::vector<BreachList> kBreaches = [] {
    std::vector<BreachList> lists;
    for (const auto layer : {rdmap_rules(), ddp_rules(), mpa_rules()})
      for (const SectionRules& section : layer) lists.push_back(section.breaches);
    for (const SectionCases& section : suite().sections()) lists.push_back(section.breaches);
    return lists;
  }();
  return kBreaches;
}

}  // namespace wirelaw::rdmap
