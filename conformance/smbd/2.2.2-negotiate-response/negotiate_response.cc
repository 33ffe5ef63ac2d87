// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 2.2.2: the first message of the listener. The sender must send the values that the receiver
// requires in 3.1.5.7.
#include "conformance/smbd/2.2.2-negotiate-response/negotiate_response.h"

#include "conformance/smbd/2.2.2-negotiate-response/rules.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/tracker/connection.h"

namespace wirelaw::smbd {
void check_response_first(Judge& judge, bool is_data) {
  judge.require(rule<"SMBD-2.2.2-1">, !is_data, octets(0, describe(MessageType::data_transfer).octets),
                expected("a Negotiate Response"), actual("a Data Transfer"),
                "or the negotiation before it was not captured");
}

bool check_response_answers(Judge& judge, const ResponseFact& fact) {
  return judge.require(rule<"SMBD-2.2.2-2">, fact.is_asked_for, octets(0, judge.message().octets.size()),
                       expected("a Negotiate Request before it"), actual("none"), "or the request was not captured");
}

bool check_response_whole(Judge& judge, const Message& message) {
  const std::size_t least = describe(MessageType::negotiate_response).octets;
  const auto length = [&] {
    return is_request(message.octets)
               ? fmt::format("{}: a Negotiate Request, which only the initiator sends", message.wire_length)
               : fmt::format("{}", message.wire_length);
  };
  return judge.require(rule<"SMBD-2.2.2-17">, message.wire_length >= least, octets(0, message.octets.size()),
                       expected("at least 32 octets"), actual(length));
}

bool check_response_range(Judge& judge, const NegotiateResponse& response) {
  return judge.require(rule<"SMBD-2.2.2-5">, response.max_version >= response.min_version,
                       in_response(Field::max_version),
                       expected([&] { return fmt::format("at least 0x{:04x}", response.min_version); }),
                       actual(hex(response.max_version)));
}

void check_response_values(Judge& judge, const NegotiateResponse& response, const ResponseFact& fact) {
  const auto& request = fact.request;
  judge.require(rule<"SMBD-2.2.2-9">, response.credits_requested > 0, in_response(Field::credits_requested),
                expected("at least 1"), actual(0));
  judge.require(rule<"SMBD-2.2.2-16">, response.max_fragmented_size >= kLeastMaxFragmentedSize,
                in_response(Field::max_fragmented_size), expected("at least 131072"),
                actual(response.max_fragmented_size));
  // If the initiator prefers less than 128, SMBD-3.1.5.6-10 requires the same.
  if (!request || request->preferred_send_size >= kLeastMaxReceiveSize)
    judge.require(rule<"SMBD-2.2.2-15">, response.max_receive_size >= kLeastMaxReceiveSize,
                  in_response(Field::max_receive_size), expected("at least 128"), actual(response.max_receive_size));
  if (!request) return;
  judge.require(rule<"SMBD-2.2.2-13">, response.preferred_send_size <= request->max_receive_size,
                in_response(Field::preferred_send_size), expected([&] {
                  return fmt::format("at most {}, the MaxReceiveSize of the request", request->max_receive_size);
                }),
                actual(response.preferred_send_size));
}

void check_read_write_size(Judge& judge, const MoveFact& move) {
  if (!move.max_read_write_size) return;
  const std::uint32_t most = *move.max_read_write_size;
  judge.require(rule<"SMBD-2.2.2-12">, move.remote.length <= most, octets(0, 0),
                expected([&] { return fmt::format("at most {} octets, its own MaxReadWriteSize", most); }),
                actual(move.remote.length));
  if (!move.moved_before || *move.moved_before > most || move.remote.length > most) return;
  const std::uint64_t sum = *move.moved_before + move.remote.length;
  judge.require(rule<"SMBD-2.2.2-21">, sum <= most, octets(0, 0), expected([&] {
                  return fmt::format("at most {} octets for an SMB2 request, its MaxReadWriteSize", most);
                }),
                actual(sum), "with the operations before it for the same request (SMBD/A45)");
}

}  // namespace wirelaw::smbd
