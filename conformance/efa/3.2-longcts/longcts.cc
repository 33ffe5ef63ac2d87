// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.5: LONGCTS_RTM, and the send_id of every REQ packet that has one.
#include "conformance/efa/3.2-longcts/longcts.h"

#include "conformance/efa/3.2-longcts/rules.h"
#include "conformance/efa/4.2-delivery-complete/delivery_complete.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

void check_send_id(Judge& judge, const SeenPacket& seen, const IdFact& fact) {
  const auto& holder = fact.holder;
  require(judge, rule<"EFA-3.2-72">, !holder || fact.is_for_receipt, seen, Field::send_id,
          expected("the ID of no operation that goes on"), actual(seen.packet.send_id), [&] {
            return fmt::format(
                "that of the {} in packet {}, which waits for its peer, or what ended it was not captured",
                holder->request->name, holder->begun + 1);
          });
  check_receipted_send_id(judge, seen, fact);
}

void check_longcts_message(Judge& judge, const SeenPacket& seen, const MessageFact& fact) {
  const Packet& packet = seen.packet;
  if (!fact.is_followed) return;
  if (fact.send_id) check_send_id(judge, seen, *fact.send_id);
  const std::uint64_t carried = seen.payload_octets();
  advise(judge, rule<"EFA-3.2-73">, packet.credit_request > 0, seen, Field::credit_request, expected("at least 1"),
         actual(packet.credit_request), "no CTSDATA is wished for");
  if (require(judge, rule<"EFA-3.2-70">, carried <= packet.msg_length, seen, Field::msg_length,
              expected([&] { return fmt::format("at least {}", carried); }), actual(packet.msg_length),
              "the packet itself carries more"))
    advise(judge, rule<"EFA-3.2-71">, carried < packet.msg_length, seen, Field::msg_length,
           expected([&] { return fmt::format("more than {}", carried); }), actual(packet.msg_length),
           "the packet carries the whole message");
}

}  // namespace wirelaw::efa
