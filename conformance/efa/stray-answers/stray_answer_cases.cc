// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4: unsolicited answers: their IDs name no operation, a finished one, or one of another kind.
#include "conformance/efa/probes/case_file.h"
#include "conformance/efa/roles.h"
#include "conformance/efa/stray-answers/rules.h"

namespace wirelaw::efa {
namespace {

// IDs that an endpoint may use as an index, a pointer's half or a generation.
constexpr std::uint32_t kIds[] = {0,           1,           2,           3,           31,
                                  255,         1'023,       0xffff,      0x1'0000,    0x10'0000,
                                  0x7fff'ffff, 0x8000'0000, 0xffff'fffe, 0xffff'ffff, 0xdead'beef};

void send_strays(Probe& peer, PacketType type) {
  const OctetBuffer data = sample_octets(64);
  for (const std::uint32_t id : kIds) {
    for (const std::uint64_t length : {std::uint64_t{64}, std::uint64_t{0}, ~std::uint64_t{0}}) {
      Packet packet = peer.answer(type);
      packet.send_id = packet.recv_id = packet.msg_id = id;
      packet.recv_length = packet.seg_length = length;
      if (packet.layout()->data != Data::none) packet.payload = data;
      peer.send(packet);
      if (type == PacketType::cts) {
        packet.flags |= flag::kCtsEmulatedRead;
        peer.send(packet);
      }
    }
    if (type == PacketType::eor) {
      Packet packet = packet_of(type);
      packet.send_id = packet.recv_id = id;
      packet.short_header = true;
      peer.send(packet);
    }
  }
}

// Sends them from an unknown endpoint as its first packets, from a known peer, and during a long message of that peer.
void stray_to_responder(ResponderProbe& responder, const Rule& rule, PacketType type) {
  ResponderProbe stranger(responder.run(), 2);
  send_strays(stranger, type);
  stranger.settle();
  responder.expect_alive(rule, "from an unknown peer");
  responder.meet();
  const std::uint32_t send_id = responder.fresh_id();
  responder.send_octets(responder.message_packets(responder.next_msg_id(), sample_octets(1'000),
                                                  {.transfer = Transfer::long_cts}, send_id)[0]);
  ResponderProbe other(responder.run(), 3);
  other.meet();
  // The responder's own IDs may be small numbers, so packets with small IDs come from another peer.
  send_strays(other, type);
  other.settle();
  responder.expect_alive(rule, "while a long message is in progress");
}

// Sends them to a requester while its message waits for the echo, and once more with the IDs that the requester has
// used.
void stray_to_requester(RequesterProbe& requester, const Rule& rule, PacketType type) {
  const WholeMessage message = requester.first_message({.octets = 64, .count = 3});
  if (!requester.ok()) return;
  send_strays(requester, type);
  requester.expect_alive(rule, message);
}

// Sends every kind of answer with these IDs; CTSDATA only if asked, because the operation may wait for it.
void send_of_other_kinds(Probe& peer, std::uint32_t id, bool ctsdata) {
  const OctetBuffer data = sample_octets(64);
  for (const PacketType type : {PacketType::eor, PacketType::read_nack, PacketType::receipt, PacketType::readrsp,
                                PacketType::atomrsp, PacketType::cts, PacketType::ctsdata}) {
    if (type == PacketType::ctsdata && !ctsdata) continue;
    if (type == PacketType::cts && ctsdata) continue;
    Packet packet = peer.answer(type);
    packet.send_id = packet.recv_id = id;
    packet.recv_length = packet.seg_length = data.size();
    if (packet.layout()->data != Data::none) packet.payload = data;
    peer.send(packet);
  }
}

// The IDs belong to the peer's own operations: a message that it sends, and the echo that it receives.
void other_kinds_to_responder(ResponderProbe& responder) {
  responder.meet();
  const OctetBuffer message = sample_octets(90'000, 1);
  const std::uint32_t send_id = responder.fresh_id();
  responder.send_octets(
      responder.message_packets(responder.next_msg_id(), message, {.transfer = Transfer::long_cts}, send_id)[0]);
  const Received* const cts = responder.await(
      [send_id](const Received& one) { return one.is(PacketType::cts) && one.packet.send_id == send_id; });
  if (cts == nullptr) return responder.inconclusive("the requester sent a long-CTS message before a CTS allowed it");
  send_of_other_kinds(responder, cts->packet.recv_id, false);
  responder.expect_alive(rule<"EFA-3.2-283">, "with the recv_id of a message");
}

void other_kinds_to_requester(RequesterProbe& requester) {
  const auto is_long = [](const Received& one) {
    return is_request(one) && one.packet.layout()->transfer == Transfer::long_cts;
  };
  requester.leave(is_long);
  requester.trigger({.octets = 90'000, .count = 1});
  const Received* const request = requester.await(requester.in(4 * requester.run().answer_time()), is_long);
  if (request == nullptr) return requester.skip("the requester sends its long messages by another subprotocol");
  send_of_other_kinds(requester, request->packet.send_id, true);
  requester.settle();
  requester.expect_new_start(rule<"EFA-3.2-283">, "with the send_id of a message");
}

struct StrayRow {
  PacketType type;
  const Rule* rule;
  std::string_view responder, requester;  // the cases' IDs
  std::string_view purpose;
};
constexpr StrayRow kRows[] = {
    {PacketType::cts, &rule<"EFA-3.2-281">, "stray/cts", "stray/cts-to-requester",
     "The endpoint keeps working after CTS with send_id from 0 to 2^32-1, for messages and for reads."},
    {PacketType::ctsdata, &rule<"EFA-3.2-282">, "stray/ctsdata", "stray/ctsdata-to-requester",
     "The endpoint keeps working after CTSDATA with recv_id from 0 to 2^32-1 and wrong lengths."},
    {PacketType::readrsp, &rule<"EFA-3.3-281">, "stray/readrsp", "stray/readrsp-to-requester",
     "The endpoint keeps working after READRSP with IDs from 0 to 2^32-1 and wrong lengths."},
    {PacketType::atomrsp, &rule<"EFA-3.3-282">, "stray/atomrsp", "stray/atomrsp-to-requester",
     "The endpoint keeps working after ATOMRSP with recv_id from 0 to 2^32-1 and wrong lengths."},
    {PacketType::eor, &rule<"EFA-4.1-281">, "stray/eor", "stray/eor-to-requester",
     "The endpoint keeps working after EOR of twelve and of sixteen octets with IDs from 0 to 2^32-1."},
    {PacketType::receipt, &rule<"EFA-4.2-281">, "stray/receipt", "stray/receipt-to-requester",
     "The endpoint keeps working after RECEIPT with send_id from 0 to 2^32-1."},
    {PacketType::read_nack, &rule<"EFA-4.7-281">, "stray/read-nack", "stray/read-nack-to-requester",
     "The endpoint keeps working after READ_NACK with IDs from 0 to 2^32-1."},
};

const CaseRow kOfAnotherKind[] = {
    {"stray/of-another-kind",
     {&rule<"EFA-3.2-283">},
     "The responder keeps working after CTS, READRSP, ATOMRSP, EOR, RECEIPT and READ_NACK with the recv_id of a "
     "message.",
     with<other_kinds_to_responder>()},
    {"stray/of-another-kind-to-requester",
     {&rule<"EFA-3.2-283">},
     "The requester keeps working after CTSDATA, READRSP, ATOMRSP, EOR, RECEIPT and READ_NACK with the send_id of a "
     "message.",
     with<other_kinds_to_requester>()},
};

}  // namespace

std::vector<Case> stray_answer_cases() {
  std::vector<Case> cases;
  for (const StrayRow& row : kRows) {
    add_case(cases, {row.responder, {row.rule}, row.purpose, with<ResponderProbe>([&row](ResponderProbe& responder) {
                       stray_to_responder(responder, *row.rule, row.type);
                     })});
    add_case(cases, {row.requester, {row.rule}, row.purpose, with<RequesterProbe>([&row](RequesterProbe& requester) {
                       stray_to_requester(requester, *row.rule, row.type);
                     })});
  }
  add_cases(cases, kOfAnotherKind);
  return cases;
}

}  // namespace wirelaw::efa
