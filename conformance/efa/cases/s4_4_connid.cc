// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.4: connid, which distinguishes an endpoint from the one that had its address before.
#include "conformance/efa/cases/case_file.h"

namespace wirelaw::efa {
namespace {

constexpr Section kSection{"EFA RDM v4 4.4", kResponder, Observable::stimulus};
constexpr Section kSectionOfRequester = kSection.of(kRequester);

constinit const Rule kOtherConnidIsNotTaken = kSection.should(
    "EFA-4.4-201", "A packet with another connid than its sender's address has is not taken for the sender's.",
    "to use the connid is the receiver's choice, so that this warns");
constinit const Rule kOtherConnidIsHarmless =
    kSection.must("EFA-4.4-202", "Packets with another connid than the peer's do no harm, nor to what the peer does.");
constinit const Rule kNewEndpointIsServed = kSection.must(
    "EFA-4.4-203", "A new endpoint that has taken the address of another begins anew: its first messages are taken.");
constinit const Rule kEitherIsTaken = kSection.must("EFA-4.4-204", "Packets are taken with a connid and without one.");

constinit const Rule kOtherEchoIsNotTaken = kSectionOfRequester.should(
    "EFA-4.4-221",
    "A packet to the requester with another connid than the responder's is not taken for the responder's.",
    "to use the connid is the receiver's choice, so that this warns");

constinit const Rule kOtherConnidIsHarmlessToRequester = kSectionOfRequester.must(
    "EFA-4.4-222",
    "Packets to the requester with another connid than the responder's do no harm, nor to what it waits for.");

constexpr const Rule* kRules[] = {&kOtherConnidIsHarmlessToRequester,
                                  &kOtherEchoIsNotTaken,
                                  &kOtherConnidIsNotTaken,
                                  &kOtherConnidIsHarmless,
                                  &kNewEndpointIsServed,
                                  &kEitherIsTaken};

constexpr Breach kBreaches[] = {
    {Deviation::wrong_connid_accepted, kOtherConnidIsNotTaken, {.severity = Severity::warning}},
    {Deviation::dies_of_other_connid, kOtherConnidIsHarmless},
    {Deviation::wrong_connid_accepted, kNewEndpointIsServed},
    {Deviation::other_endpoint_refused, kNewEndpointIsServed},
    {Deviation::connid_needed, kEitherIsTaken},
    {Deviation::ctsdata_missing, kEitherIsTaken},
    {Deviation::wrong_connid_accepted, kOtherEchoIsNotTaken, {.severity = Severity::warning}},
    {Deviation::dies_of_other_connid, kOtherConnidIsHarmlessToRequester},
};

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
  responder.expect_echoed(kNewEndpointIsServed, message);
}

const Case kCases[] = {
    {
        .id = "connid/of-another-endpoint",
        .iut = kResponder,
        .rules = {&kOtherConnidIsNotTaken, &kOtherConnidIsHarmless},
        .purpose = "A message with another connid is not echoed; the peer's own message with that msg_id is.",
        .needs = Service::echo,
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
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
        .iut = kResponder,
        .rules = {&kOtherConnidIsHarmless},
        .purpose = "CTS, CTSDATA, HANDSHAKE, EOR, RECEIPT and the like with another connid.",
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
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
        .iut = kResponder,
        .rules = {&kNewEndpointIsServed},
        .purpose =
            "After an endpoint's messages another one with the same address and another connid begins at msg_id 0.",
        .needs = Service::echo,
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
          responder.meet();
          responder.expect_echo(kNewEndpointIsServed, text("of the first endpoint"));
          serve_a_new_endpoint(responder);
          responder.expect_alive(kNewEndpointIsServed);
        }),
    },
    {
        .id = "connid/new-endpoint-amid-a-long-message",
        .iut = kResponder,
        .rules = {&kNewEndpointIsServed, &kOtherConnidIsNotTaken},
        .purpose = "A new endpoint takes the place of one whose long message has its CTS; the old data comes late.",
        .needs = Service::echo,
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
          responder.meet();
          const OctetBuffer old = sample_octets(600, 1);
          const std::uint32_t send_id = responder.fresh_id();
          responder.send_octets(
              responder.message_packets(responder.next_msg_id(), old, {.transfer = Transfer::long_cts}, send_id)[0]);
          const Received* const cts = responder.await(PacketType::cts);
          if (cts == nullptr) return responder.inconclusive("a long-CTS message was not allowed by a CTS");
          const std::uint32_t recv_id = cts->packet.recv_id;
          serve_a_new_endpoint(responder);
          Packet data = responder.answer(PacketType::ctsdata);
          data.recv_id = recv_id;
          data.seg_length = old.size();
          data.payload = old;
          responder.send(data);
          responder.listen();
          responder.advise(kOtherConnidIsNotTaken, responder.intake().messages().empty(),
                           "no message of the endpoint that is gone", "its message");
          responder.expect_alive(kNewEndpointIsServed);
        }),
    },
    {
        .id = "connid/there-and-not-there",
        .iut = kResponder,
        .rules = {&kEitherIsTaken},
        .purpose = "Messages with the peer's connid and without it alternate; so do CTSDATA and CTS.",
        .needs = Service::echo,
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
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
        .id = "connid/asked-for",
        .iut = kResponder,
        .rules = {&rule_of("EFA-4.4-4"), &rule_of("EFA-4.4-5"), &rule_of("EFA-4.4-6"), &kEitherIsTaken},
        .purpose = "A peer asks for connid, and takes twelve echoes, one after the other, and a long one.",
        .needs = Service::echo,
        .run = with<ResponderProbe>([](ResponderProbe& responder) {
          responder.announce({Extra::connid_header});
          responder.meet();
          // What was announced long ago must have been acted upon (EFA/A-40).
          for (unsigned i = 0; i < 12; ++i) {
            responder.expect_echo(kEitherIsTaken, sample_octets(40, i));
            responder.settle();
          }
          responder.expect_echo(kEitherIsTaken, sample_octets(90'000), {.transfer = Transfer::long_cts});
        }),
    },
    {
        .id = "connid/of-another-endpoint-to-requester",
        .iut = kRequester,
        .rules = {&kOtherEchoIsNotTaken, &kOtherConnidIsHarmlessToRequester},
        .purpose =
            "An echo with another connid than the HANDSHAKE had; the requester does not go on before the proper one.",
        .needs = Service::echo,
        .run = with<RequesterProbe>([](RequesterProbe& requester) {
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
          requester.advise(kOtherEchoIsNotTaken, !taken, "no further request", "another");
          if (!taken)
            requester.intake().send_message(
                {.msg_id = msg_id, .octets = message.octets, .tag = message.tag, .cq_data = message.cq_data});
          requester.expect_alive(kOtherConnidIsHarmlessToRequester);
        }),
    },
};

}  // namespace

SectionCases s4_4_cases() {
  return {kRules, kCases, kBreaches};
}

}  // namespace wirelaw::efa
