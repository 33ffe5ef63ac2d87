// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/cases.h"

namespace wirelaw::ramcloud {

const CaseSuite& suite() {
  static const CaseSuite kSuite{
      session_cases(),     header_cases(),      payload_type_cases(),        session_token_cases(),
      channel_id_cases(),  rpc_id_cases(),      client_session_hint_cases(), server_session_hint_cases(),
      frag_number_cases(), total_frags_cases(), direction_cases(),           request_ack_cases(),
      please_drop_cases(), reserved1_cases(),   open_request_cases(),        open_response_cases(),
      bad_session_cases(), ack_cases(),         old_request_cases(),         old_response_cases(),
  };
  return kSuite;
}

}  // namespace wirelaw::ramcloud
