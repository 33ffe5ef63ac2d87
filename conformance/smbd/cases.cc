// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/cases.h"

#include <vector>

namespace wirelaw::smbd {

const CaseSuite& suite() {
  static const std::vector<std::vector<Case>> kThemes{data_refused_cases(),
                                                      data_transfer_cases(),
                                                      listener_negotiation_cases(),
                                                      application_message_cases(),
                                                      application_buffer_cases(),
                                                      segment_cases(),
                                                      sent_segment_cases(),
                                                      initiator_negotiation_cases(),
                                                      credits_cases(),
                                                      idle_cases(),
                                                      end_cases(),
                                                      smb2_cases()};
  static const CaseSuite kSuite = [] {
    std::vector<SectionCases> sections;
    for (const std::vector<Case>& theme : kThemes) sections.push_back({.cases = theme});
    return CaseSuite(std::move(sections));
  }();
  return kSuite;
}

}  // namespace wirelaw::smbd
