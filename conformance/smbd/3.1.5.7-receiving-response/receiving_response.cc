// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.7: what the initiator makes of a Negotiate Response. In which order it checks is not judged
// (SMBD/A27).
#include "conformance/smbd/3.1.5.7-receiving-response/receiving_response.h"

#include <utility>

#include "conformance/smbd/3.1.5.6-receiving-request/receiving_request.h"
#include "conformance/smbd/3.1.5.7-receiving-response/rules.h"

namespace wirelaw::smbd {
void judge_silent_after_failure(Judge& judge, bool silent) {
  judge.require(rule<"SMBD-3.1.5.7-9">, silent, octets(0, judge.message().octets.size()),
                expected("the end of the connection"), actual("another message"));
}

const Rule* rule_that_ends(const NegotiateResponse& response, const Negotiated* request) {
  if (response.negotiated_version != kVersion1) return &rule<"SMBD-3.1.5.7-2">;
  if (response.max_receive_size < kLeastMaxReceiveSize) return &rule<"SMBD-3.1.5.7-3">;
  if (response.max_fragmented_size < kLeastMaxFragmentedSize) return &rule<"SMBD-3.1.5.7-4">;
  if (response.credits_granted == 0) return &rule<"SMBD-3.1.5.7-5">;
  if (response.credits_requested == 0) return &rule<"SMBD-3.1.5.7-6">;
  if (request != nullptr && response.preferred_send_size > request->max_receive_size) return &rule<"SMBD-3.1.5.7-7">;
  return nullptr;
}

void judge_response_refused(Judge& judge, Way& initiator) {
  const Rule* const demand =
      initiator.role == wirelaw::Role::initiator ? std::exchange(initiator.must_end, nullptr) : nullptr;
  if (demand == nullptr) return;
  judge.require(*demand, false, octets(0, judge.message().octets.size()), expected("the end of the connection"),
                actual("another message"), "the Negotiate Response before it cannot be accepted");
}

}  // namespace wirelaw::smbd
