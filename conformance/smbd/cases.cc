// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/cases.h"

#include <vector>

namespace wirelaw::smbd {

const CaseSuite& suite() {
  static const CaseSuite kSuite{data_refused_cases(),
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
  return kSuite;
}

}  // namespace wirelaw::smbd
