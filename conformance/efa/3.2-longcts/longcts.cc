// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.5: LONGCTS_RTM, and the send_id of every REQ packet that has one.
#include "conformance/efa/3.2-longcts/longcts.h"

#include "conformance/efa/3.2-longcts/rules.h"
#include "conformance/efa/4.2-delivery-complete/delivery_complete.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

void judge_send_id(Judge& judge, const SeenPacket& seen, TraceState& state) {
  if (!state.complete()) return;
  const Exchange* const older = state.exchanges().by_send_id(seen.sender(), seen.packet.send_id);
  const bool waits = older != nullptr && older->source_waits();
  const bool for_receipt = waits && older->request->delivery_complete && older->granted >= older->length;
  require(judge, rule<"EFA-3.2-72">, !waits || for_receipt, seen, Field::send_id,
          expected("the ID of no operation that goes on"), actual(seen.packet.send_id), [&] {
            return fmt::format(
                "that of the {} in packet {}, which waits for its peer, or what ended it was not captured",
                older->request->name, older->begun.index + 1);
          });
  judge_receipted_send_id(judge, seen, for_receipt ? older : nullptr);
}

void judge_longcts_message(Judge& judge, const SeenPacket& seen, TraceState& state) {
  const Packet& packet = seen.packet;
  if (seen.doubled && state.exchanges().by_msg_id(seen.sender(), packet.msg_id) != nullptr)
    return;  // judge_msg_id() has reported it
  judge_send_id(judge, seen, state);
  const std::uint64_t carried = seen.payload_octets();
  advise(judge, rule<"EFA-3.2-73">, packet.credit_request > 0, seen, Field::credit_request, expected("at least 1"),
         actual(packet.credit_request), "no CTSDATA is wished for");
  const bool holds = require(judge, rule<"EFA-3.2-70">, carried <= packet.msg_length, seen, Field::msg_length,
                             expected([&] { return fmt::format("at least {}", carried); }), actual(packet.msg_length),
                             "the packet itself carries more");
  if (holds)
    advise(judge, rule<"EFA-3.2-71">, carried < packet.msg_length, seen, Field::msg_length,
           expected([&] { return fmt::format("more than {}", carried); }), actual(packet.msg_length),
           "the packet carries the whole message");
  Exchange& message = state.begin(seen);
  // It follows a READ_NACK that was not captured, so the offset of the remaining data is unknown.
  if (!holds || packet.has(flag::kReadNack)) message.contradict();
  message.granted = message.in_request = carried;
  message.data.add(0, carried, TraceState::kMostGaps);
  message.last_data = message.begun;
  if (carried == packet.msg_length && !seen.layout.delivery_complete && !message.is_unsettled()) message.finish();
}

}  // namespace wirelaw::efa
