// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/cases.h"

#include <vector>

namespace wirelaw::ramcloud {

std::span<const SectionCases> all_sections() {
  static const SectionCases kSections[] = {
      session_cases(),     header_cases(),      payload_type_cases(),        session_token_cases(),
      channel_id_cases(),  rpc_id_cases(),      client_session_hint_cases(), server_session_hint_cases(),
      frag_number_cases(), total_frags_cases(), direction_cases(),           request_ack_cases(),
      please_drop_cases(), reserved1_cases(),   open_request_cases(),        open_response_cases(),
      bad_session_cases(), ack_cases(),         old_request_cases(),         old_response_cases(),
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

}  // namespace wirelaw::ramcloud
