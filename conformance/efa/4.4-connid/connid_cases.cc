// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.4: connid, which distinguishes an endpoint from the one that had its address before.
#include "conformance/efa/4.4-connid/rules.h"
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"

namespace wirelaw::efa {
namespace {

void send_with_connid(ResponderProbe& responder, std::uint32_t msg_id, std::uint32_t connid, Octets message) {
  Packet packet = packet_of(PacketType::eager_msgrtm);
  packet.flags |= flag::kConnid;
  packet.connid = connid;
  packet.msg_id = msg_id;
  packet.payload = message;
  responder.send(packet);
}

// Another endpoint, of the same address and another connid, begins at the first message ID and is echoed.
void serve_a_new_endpoint(ResponderProbe& responder) {
  RawAddress address = responder.identity().address;
  address.connid ^= 0x00ff'0000;
  OctetBuffer octets;
  encode(address, octets);
  octets.resize(responder.raw_address_octets);
  const OctetBuffer message = text("of the second endpoint");
  Packet packet = packet_of(PacketType::eager_msgrtm);
  packet.flags |= flag::kRawAddress;
  packet.raw_address = octets;
  packet.raw_address_size = static_cast<std::uint32_t>(octets.size());
  packet.msg_id = responder.first_msg_id();
  packet.payload = message;
  responder.intake().begin_anew();
  responder.send(packet);
  responder.expect_echoed(rule<"EFA-4.4-203">, message);
}

const CaseRow kRows[] = {
    {"connid/of-another-endpoint",
     {&rule<"EFA-4.4-201">, &rule<"EFA-4.4-202">},
     "The responder does not echo a message with another connid, and echoes the peer's own message with that msg_id.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       const std::uint32_t msg_id = responder.next_msg_id();
       send_with_connid(responder, msg_id, responder.connid() ^ 0x00ff'0000, text("left over from another"));
       responder.listen();
       const bool taken = !responder.intake().messages().empty();
       responder.advise(rule<"EFA-4.4-201">, !taken, "no echo", "an echo");
       if (!taken) {
         send_with_connid(responder, msg_id, responder.connid(), text("the peer's own"));
         responder.expect_echoed(rule<"EFA-4.4-202">, text("the peer's own"));
       }
       responder.expect_alive(rule<"EFA-4.4-202">);
     }),
     Service::echo},
    {"connid/of-another-endpoint-in-other-packets",
     {&rule<"EFA-4.4-202">},
     "The responder keeps working after CTS, CTSDATA, HANDSHAKE, EOR, RECEIPT and other packets with another connid.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       for (const PacketType type :
            {PacketType::cts, PacketType::ctsdata, PacketType::readrsp, PacketType::eor, PacketType::atomrsp,
             PacketType::receipt, PacketType::read_nack, PacketType::handshake}) {
         Packet packet = responder.answer(type);
         packet.connid ^= 0x00ff'0000;
         packet.nextra_p3 = 3;
         responder.send(packet);
       }
       responder.expect_alive(rule<"EFA-4.4-202">);
     })},
    {"connid/new-endpoint-at-the-same-address",
     {&rule<"EFA-4.4-203">},
     "The responder accepts msg_id 0 from a new endpoint with the same address and another connid after an earlier "
     "endpoint's messages.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       responder.expect_echo(rule<"EFA-4.4-203">, text("of the first endpoint"));
       serve_a_new_endpoint(responder);
       responder.expect_alive(rule<"EFA-4.4-203">);
     }),
     Service::echo},
    {"connid/new-endpoint-amid-a-long-message",
     {&rule<"EFA-4.4-203">, &rule<"EFA-4.4-201">},
     "The responder keeps working when a new endpoint replaces one whose long message has its CTS, and the old data "
     "comes late.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       const OctetBuffer old = sample_octets(600, 1);
       const std::uint32_t send_id = responder.fresh_id();
       responder.send_octets(
           responder.message_packets(responder.next_msg_id(), old, {.transfer = Transfer::long_cts}, send_id)[0]);
       const Received* const cts = responder.await(PacketType::cts);
       if (cts == nullptr)
         return responder.inconclusive("the requester sent a long-CTS message before a CTS allowed it");
       const std::uint32_t recv_id = cts->packet.recv_id;
       serve_a_new_endpoint(responder);
       Packet data = responder.answer(PacketType::ctsdata);
       data.recv_id = recv_id;
       data.seg_length = old.size();
       data.payload = old;
       responder.send(data);
       responder.listen();
       responder.advise(rule<"EFA-4.4-201">, responder.intake().messages().empty(),
                        "no message from the endpoint that is gone", "its message");
       responder.expect_alive(rule<"EFA-4.4-203">);
     }),
     Service::echo},
    {"connid/there-and-not-there",
     {&rule<"EFA-4.4-204">},
     "The responder accepts messages, CTSDATA and CTS that alternate between having the peer's connid and having none.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.meet();
       send_with_connid(responder, responder.next_msg_id(), responder.connid(), text("with connid"));
       responder.expect_echoed(rule<"EFA-4.4-204">, text("with connid"));
       Packet packet = packet_of(PacketType::eager_msgrtm);
       const OctetBuffer message = text("without connid");
       packet.msg_id = responder.next_msg_id();
       packet.payload = message;
       responder.send(packet);
       responder.expect_echoed(rule<"EFA-4.4-204">, message);
       const OctetBuffer data = sample_octets(300, 1);
       const std::uint32_t send_id = responder.fresh_id();
       responder.send_octets(
           responder.message_packets(responder.next_msg_id(), data, {.transfer = Transfer::long_cts}, send_id)[0]);
       const Received* const cts = responder.await(PacketType::cts);
       responder.require(rule<"EFA-4.4-204">, cts != nullptr, "a CTS", "none");
       if (cts == nullptr) return;
       for (const std::size_t at : {0u, 100u, 200u}) {
         Packet part = at == 100 ? responder.answer(PacketType::ctsdata) : packet_of(PacketType::ctsdata);
         part.recv_id = cts->packet.recv_id;
         part.seg_offset = at;
         part.seg_length = 100;
         part.payload = Octets(data).subspan(at, 100);
         responder.send(part);
       }
       responder.expect_echoed(rule<"EFA-4.4-204">, data);
     }),
     Service::echo},
    {"connid/asked-for",
     {&rule<"EFA-4.4-4">, &rule<"EFA-4.4-5">, &rule<"EFA-4.4-6">, &rule<"EFA-4.4-204">},
     "The responder sends twelve echoes, one after the other, and a long one, to a peer that requests connid.",
     with<ResponderProbe>([](ResponderProbe& responder) {
       responder.announce({Extra::connid_header});
       responder.meet();
       // The peer must by now have reacted to the announcement (EFA/A-40).
       for (unsigned i = 0; i < 12; ++i) {
         responder.expect_echo(rule<"EFA-4.4-204">, sample_octets(40, i));
         responder.settle();
       }
       responder.expect_echo(rule<"EFA-4.4-204">, sample_octets(90'000), {.transfer = Transfer::long_cts});
     }),
     Service::echo},
    {"connid/of-another-endpoint-to-requester",
     {&rule<"EFA-4.4-221">, &rule<"EFA-4.4-222">},
     "The requester does not continue after an echo with a connid other than that of the HANDSHAKE until the correct "
     "echo arrives.",
     with<RequesterProbe>([](RequesterProbe& requester) {
       const WholeMessage message = requester.first_message();
       requester.await_handshake();
       if (!requester.ok()) return;
       const std::uint32_t msg_id = requester.next_msg_id();
       Packet packet = packet_of(PacketType::eager_msgrtm);
       packet.flags |= flag::kConnid;
       packet.connid = requester.connid() ^ 0x00ff'0000;
       packet.msg_id = msg_id;
       packet.payload = message.octets;
       const std::size_t before = requester.requests();
       requester.send(packet);
       requester.listen();
       const bool taken = requester.requests() != before;
       requester.advise(rule<"EFA-4.4-221">, !taken, "no further request", "another");
       if (!taken)
         requester.intake().send_message(
             {.msg_id = msg_id, .octets = message.octets, .tag = message.tag, .cq_data = message.cq_data});
       requester.expect_alive(rule<"EFA-4.4-222">);
     }),
     Service::echo},
};

}  // namespace

std::vector<Case> connid_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::efa
