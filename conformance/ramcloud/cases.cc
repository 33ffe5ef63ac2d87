// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/cases.h"

namespace wirelaw::ramcloud {

const CaseSuite& suite() {
  static const CaseSuite kSuite{
      {.cases = session_cases()},
      {.cases = header_cases()},
      {.cases = payload_type_cases()},
      {.cases = session_token_cases()},
      {.cases = channel_id_cases()},
      {.cases = rpc_id_cases()},
      {.cases = client_session_hint_cases()},
      {.cases = server_session_hint_cases()},
      {.cases = frag_number_cases()},
      {.cases = total_frags_cases()},
      {.cases = direction_cases()},
      {.cases = request_ack_cases()},
      {.cases = please_drop_cases()},
      {.cases = reserved1_cases()},
      {.cases = open_request_cases()},
      {.cases = open_response_cases()},
      {.cases = bad_session_cases()},
      {.cases = ack_cases()},
      {.cases = old_request_cases()},
      {.cases = old_response_cases()},
  };
  return kSuite;
}

}  // namespace wirelaw::ramcloud
