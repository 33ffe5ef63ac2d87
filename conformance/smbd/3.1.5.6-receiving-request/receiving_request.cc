// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.6: the listener's processing of a Negotiate Request. Its checks come in three steps
// (SMBD/A26).
#include "conformance/smbd/3.1.5.6-receiving-request/receiving_request.h"

#include <algorithm>

#include "conformance/smbd/3.1.5.6-receiving-request/rules.h"
#include "conformance/smbd/3.1.5.7-receiving-response/receiving_response.h"
#include "conformance/smbd/fields.h"

namespace wirelaw::smbd {
void check_response_limits(Judge& judge, const NegotiateResponse& response, const ResponseFact& fact) {
  const auto& request = fact.request;
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

void check_failure_status(Judge& judge, const NegotiateResponse& response) {
  judge.require(rule<"SMBD-3.1.5.6-18">, is_error(response.status), in_response(Field::status),
                expected("0xc0000000 or above"), actual(hex(response.status)));
}

void check_request_refused(Judge& judge, Refusal demand) {
  judge.require(rule_of(demand), false, in_response(Field::status),
                expected(demand == Refusal::request_version ? "STATUS_NOT_SUPPORTED"
                                                            : "the end of the connection, and no response"),
                actual("a Negotiate Response of success"), "the request before it cannot be accepted");
}

void check_short_request_unanswered(Judge& judge, Refusal demand, const NegotiateResponse& response) {
  if (response.status == status::kSuccess) return check_request_refused(judge, demand);
  judge.require(rule<"SMBD-3.1.5.6-2">, false, in_response(Field::status),
                expected("the end of the connection, and no response"), actual("a Negotiate Response of failure"),
                "the request before it is too short to be processed");
}

void check_failure_after_request(Judge& judge, Refusal demand, const NegotiateResponse& response) {
  if (demand == Refusal::request_version)
    judge.require(rule_of(demand), response.status == status::kNotSupported, in_response(Field::status),
                  expected("STATUS_NOT_SUPPORTED"), actual(hex(response.status)),
                  "the request before it does not offer version 0x0100");
  else
    judge.require(rule<"SMBD-3.1.5.6-12">, false, in_response(Field::status),
                  expected("the end of the connection, and no response"), actual("a Negotiate Response of failure"),
                  "the request before it cannot be accepted");
}

}  // namespace wirelaw::smbd
