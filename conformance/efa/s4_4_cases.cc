// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.4: connid, which tells an endpoint from the one that had its address before.
#include "conformance/efa/case_file.h"

namespace wirelaw::efa {
namespace {

constexpr std::string_view kSection = "EFA RDM v4 4.4";

constinit const Rule kOtherConnidIsNotTaken =
    responder_rule("EFA-4.4-201", Level::should, kSection,
                   "A packet with another connid than its sender's address has is not taken for the sender's.",
                   "to use the connid is the receiver's choice, so that this warns");
constinit const Rule kOtherConnidIsHarmless =
    responder_rule("EFA-4.4-202", Level::must, kSection,
                   "Packets with another connid than the peer's do no harm, nor to what the peer does.");
constinit const Rule kNewEndpointIsServed =
    responder_rule("EFA-4.4-203", Level::must, kSection,
                   "A new endpoint that has taken the address of another begins anew: its first messages are taken.");
constinit const Rule kEitherIsTaken =
    responder_rule("EFA-4.4-204", Level::must, kSection, "Packets are taken with a connid and without one.");

constinit const Rule kOtherEchoIsNotTaken = requester_rule(
    "EFA-4.4-221", Level::should, kSection,
    "A packet to the requester with another connid than the responder's is not taken for the responder's.",
    "to use the connid is the receiver's choice, so that this warns");

constexpr const Rule* kRules[] = {&kOtherEchoIsNotTaken, &kOtherConnidIsNotTaken, &kOtherConnidIsHarmless,
                                  &kNewEndpointIsServed, &kEitherIsTaken};

void send_with_connid(RequesterProbe& responder, std::uint32_t msg_id, std::uint32_t connid, Octets message) {
  Packet packet = packet_of(PacketType::eager_msgrtm);
  packet.flags |= flag::kConnid;
  packet.connid = connid;
  packet.msg_id = msg_id;
  packet.payload = message;
  responder.send(packet);
}

}  // namespace

SectionCases s4_4_cases() {
  static const Case kCases[] = {
      {
          .id = "connid/of-another-endpoint",
          .iut = Role::responder,
          .rules = {&kOtherConnidIsNotTaken, &kOtherConnidIsHarmless},
          .purpose = "A message with another connid is not echoed; the peer's own message with that msg_id is.",
          .needs = Application::echo,
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            const std::uint32_t msg_id = responder.next_msg_id();
            send_with_connid(responder, msg_id, responder.connid() ^ 0x00ff'0000, text("left over from another"));
            responder.listen();
            const bool taken = !responder.intake().messages().empty();
            responder.advise(kOtherConnidIsNotTaken, !taken, "no echo", "an echo");
            if (!taken) {
              send_with_connid(responder, msg_id, responder.connid(), text("the peer's own"));
              responder.expect_echoed(kOtherConnidIsHarmless, text("the peer's own"));
            }
            responder.expect_alive(kOtherConnidIsHarmless);
          }),
      },
      {
          .id = "connid/of-another-endpoint-in-other-packets",
          .iut = Role::responder,
          .rules = {&kOtherConnidIsHarmless},
          .purpose = "CTS, CTSDATA, HANDSHAKE, EOR, RECEIPT and the like with another connid.",
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            for (const PacketType type :
                 {PacketType::cts, PacketType::ctsdata, PacketType::readrsp, PacketType::eor, PacketType::atomrsp,
                  PacketType::receipt, PacketType::read_nack, PacketType::handshake}) {
              Packet packet = responder.answer(type);
              packet.connid ^= 0x00ff'0000;
              packet.nextra_p3 = 3;
              responder.send(packet);
            }
            responder.expect_alive(kOtherConnidIsHarmless);
          }),
      },
      {
          .id = "connid/new-endpoint-at-the-same-address",
          .iut = Role::responder,
          .rules = {&kNewEndpointIsServed},
          .purpose =
              "After an endpoint's messages another one with the same address and another connid begins at msg_id 0.",
          .needs = Application::echo,
          .run = on_responder([](RequesterProbe& responder) {
            if (!responder.may_change_connid())
              return responder.skip("the device gives every endpoint an address of its own");
            responder.meet();
            responder.expect_echo(kNewEndpointIsServed, text("of the first endpoint"));
            RawAddress address = responder.identity().address;
            address.connid ^= 0x00ff'0000;
            OctetBuffer octets;
            encode(address, octets);
            octets.resize(36);
            const OctetBuffer message = text("of the second endpoint");
            Packet packet = packet_of(PacketType::eager_msgrtm);
            packet.flags |= flag::kRawAddress;
            packet.raw_address = octets;
            packet.raw_address_size = 36;
            packet.payload = message;
            responder.intake().begin_anew();
            responder.send(packet);
            responder.expect_echoed(kNewEndpointIsServed, message);
            responder.expect_alive(kNewEndpointIsServed);
          }),
      },
      {
          .id = "connid/there-and-not-there",
          .iut = Role::responder,
          .rules = {&kEitherIsTaken},
          .purpose = "Messages with the peer's connid and without it alternate; so do CTSDATA and CTS.",
          .needs = Application::echo,
          .run = on_responder([](RequesterProbe& responder) {
            responder.meet();
            send_with_connid(responder, responder.next_msg_id(), responder.connid(), text("with connid"));
            responder.expect_echoed(kEitherIsTaken, text("with connid"));
            Packet packet = packet_of(PacketType::eager_msgrtm);
            const OctetBuffer message = text("without connid");
            packet.msg_id = responder.next_msg_id();
            packet.payload = message;
            responder.send(packet);
            responder.expect_echoed(kEitherIsTaken, message);
            const OctetBuffer data = sample_octets(300, 1);
            const std::uint32_t send_id = responder.fresh_id();
            responder.send_octets(
                responder.message_packets(responder.next_msg_id(), data, {.transfer = Transfer::long_cts}, send_id)[0]);
            const Received* const cts = responder.await(PacketType::cts);
            responder.require(kEitherIsTaken, cts != nullptr, "a CTS", "none");
            if (cts == nullptr) return;
            for (const std::size_t at : {0u, 100u, 200u}) {
              Packet part = at == 100 ? responder.answer(PacketType::ctsdata) : packet_of(PacketType::ctsdata);
              part.recv_id = cts->packet.recv_id;
              part.seg_offset = at;
              part.seg_length = 100;
              part.payload = Octets(data).subspan(at, 100);
              responder.send(part);
            }
            responder.expect_echoed(kEitherIsTaken, data);
          }),
      },
      {
          .id = "connid/of-another-endpoint-to-requester",
          .iut = Role::initiator,
          .rules = {&kOtherEchoIsNotTaken},
          .purpose =
              "An echo with another connid than the HANDSHAKE had; the requester does not go on before the proper one.",
          .needs = Application::echo,
          .run = on_requester([](ResponderProbe& requester) {
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
            requester.advise(kOtherEchoIsNotTaken, requester.requests() == before, "no further request", "another");
          }),
      },
  };
  return {kRules, kCases};
}

}  // namespace wirelaw::efa
