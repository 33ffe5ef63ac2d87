// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "conformance/smbd/cases.h"
#include "conformance/smbd/rules.h"

namespace wirelaw::smbd {

std::span<const SectionRules> section_rules() {
  static const SectionRules kSections[] = {transport_rules(),
                                           syntax_rules(),
                                           negotiate_request_rules(),
                                           negotiate_response_rules(),
                                           data_transfer_rules(),
                                           buffer_descriptor_rules(),
                                           connection_rules(),
                                           timer_rules(),
                                           connecting_rules(),
                                           send_rules(),
                                           register_rules(),
                                           deregister_rules(),
                                           write_rules(),
                                           read_rules(),
                                           query_rules(),
                                           sending_rules(),
                                           sending_request_rules(),
                                           sending_response_rules(),
                                           segment_rules(),
                                           receiving_rules(),
                                           receiving_request_rules(),
                                           receiving_response_rules(),
                                           receiving_data_rules(),
                                           credit_rules(),
                                           timer_event_rules(),
                                           loss_rules(),
                                           arrival_rules()};
  return kSections;
}

std::span<const BreachList> breaches() {
  static const std::vector<BreachList> kBreaches = [] {
    std::vector<BreachList> lists;
    for (const SectionRules& section : section_rules()) lists.push_back(section.breaches);
    return lists;
  }();
  return kBreaches;
}

}  // namespace wirelaw::smbd
