// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.7: the initiator's processing of a Negotiate Response. The order of its checks is not judged
// (SMBD/A27).
#include "conformance/smbd/3.1.5.7-receiving-response/receiving_response.h"

#include "conformance/smbd/3.1.5.6-receiving-request/rules.h"
#include "conformance/smbd/3.1.5.7-receiving-response/rules.h"

namespace wirelaw::smbd {
void check_silent_after_failure(Judge& judge, bool is_silent) {
  judge.require(rule<"SMBD-3.1.5.7-9">, is_silent, octets(0, judge.message().octets.size()),
                expected("the end of the connection"), actual("another message"));
}

const Rule& rule_of(Refusal demand) {
  switch (demand) {
    case Refusal::request_short:
      return rule<"SMBD-3.1.5.6-3">;
    case Refusal::request_version:
      return rule<"SMBD-3.1.5.6-5">;
    case Refusal::request_credits:
      return rule<"SMBD-3.1.5.6-7">;
    case Refusal::request_receive_size:
      return rule<"SMBD-3.1.5.6-8">;
    case Refusal::request_fragmented_size:
      return rule<"SMBD-3.1.5.6-11">;
    case Refusal::response_short:
      return rule<"SMBD-3.1.5.7-1">;
    case Refusal::response_version:
      return rule<"SMBD-3.1.5.7-2">;
    case Refusal::response_receive_size:
      return rule<"SMBD-3.1.5.7-3">;
    case Refusal::response_fragmented_size:
      return rule<"SMBD-3.1.5.7-4">;
    case Refusal::response_granted:
      return rule<"SMBD-3.1.5.7-5">;
    case Refusal::response_requested:
      return rule<"SMBD-3.1.5.7-6">;
    case Refusal::response_send_size:
      break;
  }
  return rule<"SMBD-3.1.5.7-7">;
}

void check_response_refused(Judge& judge, Refusal demand) {
  judge.require(rule_of(demand), false, octets(0, judge.message().octets.size()), expected("the end of the connection"),
                actual("another message"), "the Negotiate Response before it cannot be accepted");
}

}  // namespace wirelaw::smbd
