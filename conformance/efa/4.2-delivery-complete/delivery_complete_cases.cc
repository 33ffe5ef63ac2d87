// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.2: delivery complete, if the responder has announced it.
#include <fmt/format.h>

#include "conformance/efa/4.2-delivery-complete/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

constexpr std::uint64_t kNeeded = 8'192;

// Delivery complete may be used when the HANDSHAKE has announced it (2.1).
void meet(ResponderProbe& responder) {
  responder.announce({Extra::delivery_complete});
  responder.meet();
  if (responder.ok() && !responder.peer_announces(Extra::delivery_complete))
    responder.skip("the responder does not announce delivery complete");
}

bool is_receipt(const Received& one) {
  return one.is(PacketType::receipt);
}

SendOptions complete(Transfer transfer) {
  return {.transfer = transfer, .delivery_complete = true, .segment = 700};
}

const CaseRow kRows[] = {
    {"delivery-complete/messages",
     {&rule<"EFA-4.2-201">},
     "The responder sends a RECEIPT for eager, medium and long-CTS messages with delivery complete, tagged and "
     "untagged.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       meet(responder);
       for (const Transfer transfer : {Transfer::eager, Transfer::medium, Transfer::long_cts}) {
         for (const bool tagged : {false, true}) {
           SendOptions options = complete(transfer);
           if (tagged) options.tag = responder.tag(5);
           const OctetBuffer message = sample_octets(transfer == Transfer::eager ? 60 : 3'000, tagged ? 2 : 1);
           responder.expect_echo(rule<"EFA-4.2-201">, message, options);
         }
       }
     }),
     Service::echo},
    {"delivery-complete/segments-in-any-order",
     {&rule<"EFA-4.2-201">},
     "The responder sends a RECEIPT for medium and long-CTS messages with delivery complete that arrive from the last "
     "segment to the first.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       meet(responder);
       for (const Transfer transfer : {Transfer::medium, Transfer::long_cts}) {
         SendOptions options = complete(transfer);
         options.backwards = true;
         responder.expect_echo(rule<"EFA-4.2-201">, sample_octets(3'000, 3), options);
       }
     }),
     Service::echo},
    {"delivery-complete/writes",
     {&rule<"EFA-4.2-202">},
     "The responder has written the data of eager and long-CTS writes with delivery complete when it sends the "
     "RECEIPT.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       meet(responder);
       unsigned seed = 0;
       for (const Transfer transfer : {Transfer::eager, Transfer::long_cts, Transfer::eager, Transfer::long_cts}) {
         const OctetBuffer data = sample_octets(transfer == Transfer::eager ? 300 : 5'000, ++seed);
         const bool done = responder.write({responder.part(16, data.size())}, data, complete(transfer));
         responder.require(rule<"EFA-4.2-202">, done, "a RECEIPT", "none");
         const auto there = responder.read(responder.part(16, data.size()));
         responder.require(rule<"EFA-4.2-202">, there && *there == data, size_of(data),
                           there ? difference(data, *there) : "the memory cannot be read");
       }
     })},
    {"delivery-complete/write-of-nothing",
     {&rule<"EFA-4.2-202">},
     "The responder sends a RECEIPT for a delivery complete write without buffers.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       meet(responder);
       const bool done = responder.write({}, {}, complete(Transfer::eager));
       responder.require(rule<"EFA-4.2-202">, done, "a RECEIPT", "none");
       responder.expect_alive(rule<"EFA-4.2-202">);
     })},
    {"delivery-complete/atomic",
     {&rule<"EFA-4.2-203">},
     "The responder has executed a DC_WRITE_RTA when it sends the RECEIPT.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       meet(responder);
       responder.prepare(0, OctetBuffer(8));
       for (unsigned i = 1; i <= 3; ++i) {
         OctetBuffer one(8);
         one[0] = 1;
         Packet packet = responder.atomic_request({AtomicCall::write, AtomicOp::sum, Datatype::uint64, one, {}},
                                                  {responder.part(0, 8)}, 0);
         packet.type = static_cast<std::uint8_t>(PacketType::dc_write_rta);
         packet.send_id = responder.fresh_id();
         responder.send(packet);
         const Received* const receipt = responder.await([id = packet.send_id](const Received& any) {
           return any.is(PacketType::receipt) && any.packet.send_id == id;
         });
         responder.require(rule<"EFA-4.2-203">, receipt != nullptr, "a RECEIPT", "none");
         const auto there = responder.read(responder.part(0, 8));
         responder.require(rule<"EFA-4.2-203">, there && (*there)[0] == i, fmt::format("{}", i),
                           there ? fmt::format("{}", (*there)[0]) : "the memory cannot be read");
       }
     })},
    {"delivery-complete/no-receipt-for-a-part",
     {&rule<"EFA-4.2-204">},
     "The responder sends no RECEIPT for a medium message and a long-CTS write with a missing segment.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       meet(responder);
       const OctetBuffer data = sample_octets(2'000, 1);
       auto packets =
           responder.message_packets(responder.next_msg_id(), data, complete(Transfer::medium), responder.fresh_id());
       packets.erase(packets.begin());
       for (const OctetBuffer& packet : packets) responder.send_octets(packet);
       Packet write = responder.one_sided(PacketType::dc_longcts_rtw, {responder.part(0, data.size())});
       write.send_id = responder.fresh_id();
       write.payload = Octets(data).first(500);
       responder.send(write);
       const Received* const cts = responder.await(PacketType::cts);
       if (cts != nullptr) {
         Packet part = packet_of(PacketType::ctsdata);
         part.recv_id = cts->packet.recv_id;
         part.seg_offset = 500;
         part.seg_length = 1'499;
         part.payload = Octets(data).subspan(500, 1'499);
         responder.send(part);
       }
       responder.expect_none(rule<"EFA-4.2-204">, is_receipt, "no RECEIPT while data is missing");
     })},
    {"delivery-complete/no-receipt-before-its-receive",
     {&rule<"EFA-4.2-205">},
     "The responder sends no RECEIPT for eager and medium messages whose tag no receive matches.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       const auto other = responder.another_tag();
       if (responder.ok() && !other) return responder.skip(kAnyTag);
       meet(responder);
       if (!responder.ok()) return;
       for (const Transfer transfer : {Transfer::eager, Transfer::medium}) {
         SendOptions options = complete(transfer);
         options.tag = other;
         for (const OctetBuffer& packet : responder.message_packets(responder.next_msg_id(), sample_octets(1'500, 1),
                                                                    options, responder.fresh_id()))
           responder.send_octets(packet);
       }
       responder.expect_none(rule<"EFA-4.2-205">, is_receipt, "no RECEIPT for a message that no receive matches");
     })},
    {"delivery-complete/no-receipt-unasked",
     {&rule<"EFA-4.2-2">},
     "The responder sends no RECEIPT for messages, writes and atomics without delivery complete.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.need_memory(kNeeded);
       meet(responder);
       responder.send_message(sample_octets(20));
       responder.send_message(sample_octets(2'000), {.transfer = Transfer::medium, .segment = 700});
       responder.send_message(sample_octets(2'000), {.transfer = Transfer::long_cts});
       responder.write({responder.part(0, 50)}, sample_octets(50));
       responder.write({responder.part(0, 2'000)}, sample_octets(2'000), {.transfer = Transfer::long_cts});
       responder.expect_none(rule<"EFA-4.2-2">, is_receipt, "no RECEIPT");
     })},
    {"delivery-complete/one-receipt",
     {&rule<"EFA-4.2-4">},
     "The responder sends one RECEIPT for each eager, medium and long-CTS message whose packets come twice.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       meet(responder);
       for (const Transfer transfer : {Transfer::eager, Transfer::medium, Transfer::long_cts}) {
         SendOptions options = complete(transfer);
         options.doubled = true;
         const bool done = responder.send_message(sample_octets(1'900, 1), options);
         if (!responder.advise(rule<"EFA-4.2-4">, done, "a RECEIPT", "none", kDeviceDoublesNothing)) break;
         responder.expect_none(rule<"EFA-4.2-4">, is_receipt, "one RECEIPT");
       }
       responder.expect_alive(rule<"EFA-4.2-4">);
     })},
};

}  // namespace

std::vector<Case> delivery_complete_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
