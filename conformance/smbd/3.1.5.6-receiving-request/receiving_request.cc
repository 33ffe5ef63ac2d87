// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.6: what the listener makes of a Negotiate Request. Its checks come in three steps
// (SMBD/A26).
#include "conformance/smbd/3.1.5.6-receiving-request/receiving_request.h"

#include <algorithm>
#include <utility>

#include "conformance/smbd/3.1.5.6-receiving-request/rules.h"
#include "conformance/smbd/3.1.5.7-receiving-response/receiving_response.h"
#include "conformance/smbd/fields.h"

namespace wirelaw::smbd {
void judge_response_limits(Judge& judge, const NegotiateResponse& response, const Negotiated* request) {
  judge.require(rule<"SMBD-3.1.5.6-17">, response.credits_granted > 0, in_response(Field::credits_granted),
                expected("at least 1, or a Status of failure"), actual(0));
  if (!request) return;
  const std::uint32_t most = std::max(request->preferred_send_size, kLeastMaxReceiveSize);
  judge.require(rule<"SMBD-3.1.5.6-9">, response.max_receive_size <= most, in_response(Field::max_receive_size),
                expected([&] { return fmt::format("at most {}", most); }), actual(response.max_receive_size),
                "the initiator will send no longer message");
  if (request->preferred_send_size < kLeastMaxReceiveSize)
    judge.require(rule<"SMBD-3.1.5.6-10">, response.max_receive_size >= kLeastMaxReceiveSize,
                  in_response(Field::max_receive_size), expected(kLeastMaxReceiveSize),
                  actual(response.max_receive_size));
}

void judge_failure_status(Judge& judge, const NegotiateResponse& response) {
  judge.require(rule<"SMBD-3.1.5.6-18">, is_error(response.status), in_response(Field::status),
                expected("0xc0000000 or above"), actual(hex(response.status)));
}

const Rule* rule_that_ends(const NegotiateRequest& request) {
  if (request.min_version > kVersion1 || request.max_version < kVersion1) return &rule<"SMBD-3.1.5.6-5">;
  if (request.credits_requested == 0) return &rule<"SMBD-3.1.5.6-7">;
  if (request.max_receive_size < kLeastMaxReceiveSize) return &rule<"SMBD-3.1.5.6-8">;
  if (request.max_fragmented_size < kLeastMaxFragmentedSize) return &rule<"SMBD-3.1.5.6-11">;
  return nullptr;
}

void judge_request_refused(Judge& judge, Way& listener) {
  const Rule* const demand = std::exchange(listener.must_end, nullptr);
  if (demand == nullptr) return;
  judge.require(*demand, false, in_response(Field::status),
                expected(demand == &rule<"SMBD-3.1.5.6-5"> ? "STATUS_NOT_SUPPORTED"
                                                           : "the end of the connection, and no response"),
                actual("a Negotiate Response of success"), "the request before it cannot be accepted");
}

}  // namespace wirelaw::smbd
