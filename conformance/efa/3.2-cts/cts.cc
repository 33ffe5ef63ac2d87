// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.6: CTS, of messages, writes and reads alike.
#include "conformance/efa/3.2-cts/cts.h"

#include "conformance/efa/3.2-cts/rules.h"
#include "conformance/efa/4.2-delivery-complete/delivery_complete.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

namespace {

void check_read_flag(Judge& judge, const SeenPacket& seen, const Layout& request) {
  const bool read = request.purpose == Purpose::read;
  const bool flag = seen.packet.has(flag::kCtsEmulatedRead);
  require(judge, read ? rule<"EFA-3.2-108"> : rule<"EFA-3.2-109">, flag == read, seen, Field::flags,
          expected([&] { return read ? "CTS_EMULATED_READ set" : "CTS_EMULATED_READ clear"; }),
          actual(hex(seen.packet.flags)), [&] { return fmt::format("it answers a {}", request.name); });
}

void check_recv_id(Judge& judge, const SeenPacket& seen, const Layout& request, const CtsFact::Receive& receive) {
  const std::uint32_t recv_id = seen.packet.recv_id;
  const bool holds = receive.has(recv_id);
  if (receive.id)
    require(judge, request.purpose == Purpose::read ? rule<"EFA-3.2-106"> : rule<"EFA-3.2-105">, holds, seen,
            Field::recv_id, expected([&] { return fmt::format("{}", *receive.id); }), actual(recv_id),
            "the receive operation has another ID, or this is another operation, whose request was not captured");
  else
    require(judge, rule<"EFA-3.2-107">, holds, seen, Field::recv_id,
            expected("the ID of no receive operation that goes on"), actual(recv_id), [&] {
              return fmt::format(
                  "that of the {} in packet {}, which waits for data, or whose last data was not captured",
                  receive.holder->request->name, receive.holder->begun + 1);
            });
}

void check_moment(Judge& judge, const SeenPacket& seen, const CtsFact& fact) {
  using enum CtsFact::Moment;
  if (fact.moment == unjudged) return;
  if (fact.moment == copy) {
    advise(judge, rule<"EFA-3.2-104">, false, seen, Field::recv_length, expected("each CTS once"),
           actual("the same CTS again"), "it has been sent twice, or UDP has doubled it");
    return;
  }
  require(judge, rule<"EFA-3.2-110">, fact.moment != after_all, seen, Field::recv_length, expected("no CTS"),
          actual(seen.packet.recv_length), [&] {
            return fmt::format("all {} octets have been sent, or another operation with this send_id began, uncaptured",
                               fact.length);
          });
  if (fact.moment == in_time) keeps(judge, rule<"EFA-3.2-104">);
}

}  // namespace

void check_unsent(Judge& judge, const SeenPacket& seen, const Rule& rule, std::uint64_t fresh) {
  const std::uint64_t octets = seen.payload_octets();
  require(judge, rule, fresh == octets, seen, Field::seg_offset, expected("octets that have not been sent"),
          actual([&] { return fmt::format("{} octets at {}", octets, seen.packet.seg_offset); }),
          [&] { return fmt::format("{} of them have been sent before", octets - fresh); });
}

void check_fresh_data(Judge& judge, const SeenPacket& seen, const FreshDataFact& fact) {
  const Side sink = other(seen.sender());
  if (fact.receipt)
    check_early_receipt(judge, seen, marked(*fact.receipt, sink), "data",
                        "data of the operation comes after its RECEIPT");
  if (!fact.grant) return;
  judge.at(marked(fact.grant->mark, sink));
  judge.require(rule<"EFA-3.2-104">, false, {0, fact.grant->mark.octets},
                expected([&] { return fmt::format("a CTS after all octets before {}", fact.grant->end); }),
                actual([&] { return fmt::format("octets at {} come after it", seen.packet.seg_offset); }),
                "what the CTS before it allowed had not all been sent");
  judge.at(seen.message);
}

void check_cts(Judge& judge, const SeenPacket& seen, const CtsFact& fact) {
  const Packet& packet = seen.packet;
  if (fact.has_operation)
    require(judge, rule<"EFA-3.2-100">, *fact.has_operation, seen, Field::send_id,
            expected("the ID of a send operation of the peer"), actual(packet.send_id),
            "no packet has given it that ID, or the one that did was not captured");
  if (fact.request == nullptr) return;
  if (!require(judge, rule<"EFA-3.2-101">, fact.is_awaited, seen, Field::send_id,
               expected("an operation that waits for a CTS"), actual(packet.send_id), [&] {
                 return fmt::format("a {} began that operation, or another one that was not captured",
                                    fact.request->name);
               }))
    return;
  check_read_flag(judge, seen, *fact.request);
  require(judge, rule<"EFA-3.2-102">, packet.recv_length > 0, seen, Field::recv_length, expected("at least 1"),
          actual(packet.recv_length), "the sender would wait for ever");
  if (fact.receive) check_recv_id(judge, seen, *fact.request, *fact.receive);
  if (fact.receipt)
    check_early_receipt(judge, seen, marked(*fact.receipt, seen.sender()), "a CTS",
                        "the CTS after the RECEIPT allows data that has not been sent");
  check_moment(judge, seen, fact);
  if (fact.rest)
    advise(judge, rule<"EFA-3.2-103">, packet.recv_length <= *fact.rest, seen, Field::recv_length,
           expected([&] { return fmt::format("at most {}", *fact.rest); }), actual(packet.recv_length),
           "fewer octets are left of the message");
}

}  // namespace wirelaw::efa
