// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 2.2.1: the first message of the initiator. The sender must send the values that the receiver
// requires in 3.1.5.6.
#include "conformance/smbd/2.2.1-negotiate-request/negotiate_request.h"

#include "conformance/smbd/2.2.1-negotiate-request/rules.h"
#include "conformance/smbd/2.2.2-negotiate-response/rules.h"
#include "conformance/smbd/fields.h"

namespace wirelaw::smbd {
void check_request_first(Judge& judge, bool is_data) {
  judge.require(rule<"SMBD-2.2.1-1">, !is_data, octets(0, describe(MessageType::data_transfer).octets),
                expected("a Negotiate Request"), actual("a Data Transfer"),
                "or the negotiation before it was not captured");
}

bool check_request_whole(Judge& judge, const Message& message) {
  const std::size_t least = describe(MessageType::negotiate_request).octets;
  return judge.require(rule<"SMBD-2.2.1-11">, message.wire_length >= least, octets(0, message.octets.size()),
                       expected("at least 20 octets"), actual(message.wire_length));
}

bool check_request_range(Judge& judge, const NegotiateRequest& request) {
  return judge.require(rule<"SMBD-2.2.1-4">, request.max_version >= request.min_version, in_request(Field::max_version),
                       expected([&] { return fmt::format("at least 0x{:04x}", request.min_version); }),
                       actual(hex(request.max_version)));
}

void check_request_values(Judge& judge, const NegotiateRequest& request) {
  judge.require(rule<"SMBD-2.2.1-6">, request.credits_requested > 0, in_request(Field::credits_requested),
                expected("at least 1"), actual(0));
  judge.require(rule<"SMBD-2.2.1-8">, request.max_receive_size >= kLeastMaxReceiveSize,
                in_request(Field::max_receive_size), expected("at least 128"), actual(request.max_receive_size));
  judge.require(rule<"SMBD-2.2.1-10">, request.max_fragmented_size >= kLeastMaxFragmentedSize,
                in_request(Field::max_fragmented_size), expected("at least 131072"),
                actual(request.max_fragmented_size));
}

// If the data alone are too long for it, SMBD-3.1.5.4-12 reports it.
void check_within_receive(Judge& judge, const Facts& facts, const TransferFact& transfer) {
  if (!transfer.max_receive_size) return;
  const std::uint32_t most = *transfer.max_receive_size;
  if (transfer.data.data_end() > most) return;
  const Rule& demand = facts.sender == Role::initiator ? rule<"SMBD-2.2.2-14"> : rule<"SMBD-2.2.1-9">;
  judge.require(demand, facts.length() <= most, octets(0, facts.message().octets.size()),
                expected([&] { return fmt::format("at most {} octets, the receiver's MaxReceiveSize", most); }),
                actual(facts.length()));
}

}  // namespace wirelaw::smbd
