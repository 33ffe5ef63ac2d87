// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: READRSP, the answer to a read request and the first data of it. Table 3.11 and deployed endpoints
// have its two IDs in opposite orders (EFA/A-02): recv_id, which the request chose, shows the order in a packet.
#include "conformance/efa/3.3-readrsp/readrsp.h"

#include "conformance/efa/3.3-one-sided/one_sided.h"
#include "conformance/efa/3.3-readrsp/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

void check_order(Judge& judge, const SeenPacket& seen, const ReadrspFact::Order& order) {
  require(judge, rule<"EFA-3.3-66">, !order.is_turned, seen, Field::recv_id,
          expected(order.usual == Reading::deployed ? "recv_id at octet 8, send_id at 12"
                                                    : "send_id at octet 8, recv_id at 12"),
          actual("the other order"), "another order than in the READRSP before");
}

void check_send_id(Judge& judge, const SeenPacket& seen, const ReadrspFact& fact) {
  const auto& holder = fact.send_id->holder;
  require(judge, rule<"EFA-3.3-68">, !holder, seen, fact.is_by_document ? Field::recv_id : Field::send_id,
          expected("an ID that no operation under way has"),
          actual(fact.is_by_document ? seen.packet.recv_id : seen.packet.send_id), [&] {
            return fmt::format(
                "the operation of packet {} ({}) still waits for its peer, or what ended it was not captured",
                holder->begun + 1, holder->request->name);
          });
}

void check_data(Judge& judge, const SeenPacket& seen, const ReadrspFact::Wanted& wanted) {
  const std::uint64_t octets = seen.payload_octets();
  if (wanted.is_short)
    judge.require(rule<"EFA-3.3-63">, octets == wanted.length, seen.payload(),
                  expected([&] { return fmt::format("{} octets of data", wanted.length); }), actual(octets),
                  "a short read is answered by one packet");
  else if (judge.require(rule<"EFA-3.3-64">, octets <= wanted.length, seen.payload(),
                         expected([&] { return fmt::format("at most {} octets of data", wanted.length); }),
                         actual(octets), "more than was asked for") &&
           judge.require(rule<"EFA-3.3-65">, octets <= wanted.granted, seen.payload(),
                         expected([&] { return fmt::format("at most {} octets of data", wanted.granted); }),
                         actual(octets), "more than the requester is ready to receive"))
    keeps(judge, rule<"EFA-3.3-69">);
}

}  // namespace

const ClaimRow kReadrspClaims[] = {
    {Claim::answers_read, &rule<"EFA-3.3-70">, "a READRSP", "none",
     "long ago, and no answer to this request; it may have been refused",
     "it has answered later reads of the same memory: this one was not refused"},
    {Claim::answers_read_before_data, &rule<"EFA-3.3-69">, "a READRSP", "only CTSDATA",
     "the requester learns no send_id for its CTS"},
};

void check_readrsp(Judge& judge, const SeenPacket& seen, const ReadrspFact& fact) {
  const Packet& packet = seen.packet;
  require(judge, rule<"EFA-3.3-60">, packet.recv_length == seen.payload_octets(), seen, Field::recv_length,
          expected(seen.payload_octets()), actual(packet.recv_length), "the packet carries another number of octets");
  if (fact.order) check_order(judge, seen, *fact.order);
  if (fact.answers_none)
    require(judge, rule<"EFA-3.3-61">, false, seen, Field::recv_id, expected("recv_id of a read request"),
            actual([&] { return fmt::format("{} and {}", packet.recv_id, packet.send_id); }),
            "no request has such an ID, or the one that has was not captured");
  if (!fact.answer) return;
  if (fact.answer->answered) return check_single_answer(judge, seen, rule<"EFA-3.3-62">, *fact.answer);
  keeps(judge, rule<"EFA-3.3-61">, rule<"EFA-3.3-62">, rule<"EFA-3.3-70">);
  advise(judge, rule<"EFA-3.3-67">, !fact.is_by_document, seen, Field::recv_id,
         expected("recv_id at octet 8, send_id at 12"), actual("send_id at octet 8, recv_id at 12"),
         "the order of table 3.11, which deployed requesters misread");
  if (fact.send_id) check_send_id(judge, seen, fact);
  if (fact.wanted) check_data(judge, seen, *fact.wanted);
}

}  // namespace wirelaw::efa
