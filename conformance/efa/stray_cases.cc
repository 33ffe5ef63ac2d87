// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4: packets that answer what nobody has asked for: their IDs name no operation, one that is done, or one of
// another kind.
#include <utility>

#include "conformance/efa/case_file.h"

namespace wirelaw::efa {
namespace {

constexpr std::string_view kNote = "E-01 to E-03: every ID from the wire is looked up, never believed";

constinit const Rule kCts = endpoint_rule("EFA-3.2-281", Level::must, "EFA RDM v4 3.2, table 3.6",
                                          "A CTS that names no send operation does no harm.", kNote);
constinit const Rule kCtsdata = endpoint_rule("EFA-3.2-282", Level::must, "EFA RDM v4 3.2, table 3.7",
                                              "A CTSDATA that names no receive operation does no harm.", kNote);
constinit const Rule kReadrsp = endpoint_rule("EFA-3.3-281", Level::must, "EFA RDM v4 3.3, table 3.11",
                                              "A READRSP that names no read does no harm.", kNote);
constinit const Rule kAtomrsp = endpoint_rule("EFA-3.3-282", Level::must, "EFA RDM v4 3.3, table 3.15",
                                              "An ATOMRSP that names no atomic does no harm.", kNote);
constinit const Rule kEor =
    endpoint_rule("EFA-4.1-281", Level::must, "EFA RDM v4 4.1, table 4.2",
                  "An EOR that names no operation does no harm, with twelve octets or sixteen.", "A-08, E-03");
constinit const Rule kReceipt = endpoint_rule("EFA-4.2-281", Level::must, "EFA RDM v4 4.2",
                                              "A RECEIPT that names no operation does no harm.", kNote);
constinit const Rule kReadNack = endpoint_rule("EFA-4.7-281", Level::must, "EFA RDM v4 4.7",
                                               "A READ_NACK that names no operation does no harm.", kNote);

constinit const Rule kOtherKind =
    endpoint_rule("EFA-3.2-283", Level::must, "EFA RDM v4 3.2",
                  "An answer whose ID names an operation of another kind, or at another stage, does no harm.", kNote);

constexpr const Rule* kRules[] = {&kOtherKind, &kCts, &kCtsdata, &kReadrsp, &kAtomrsp, &kEor, &kReceipt, &kReadNack};

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

// From a stranger, whose first packets they are; from a peer; and amid a long message of the peer's.
void stray_to_responder(RequesterProbe& responder, const Rule& rule, PacketType type) {
  RequesterProbe stranger(responder.run(), 2);
  send_strays(stranger, type);
  stranger.settle();
  responder.expect_alive(rule, "from a stranger");
  responder.meet();
  const std::uint32_t send_id = responder.fresh_id();
  responder.send_octets(responder.message_packets(responder.next_msg_id(), sample_octets(1'000),
                                                  {.transfer = Transfer::long_cts}, send_id)[0]);
  RequesterProbe other(responder.run(), 3);
  other.meet();
  // The responder's own IDs may be small numbers: what is sent for them is of another peer.
  send_strays(other, type);
  other.settle();
  responder.expect_alive(rule, "while a long message is under way");
}

// To a requester while its message waits for the echo; then once more with the IDs that the requester has used.
void stray_to_requester(ResponderProbe& requester, const Rule& rule, PacketType type) {
  const WholeMessage message = requester.first_message({.octets = 64, .count = 3});
  if (!requester.ok()) return;
  send_strays(requester, type);
  requester.expect_alive(rule, message);
}

// Every packet that answers something, with these IDs; but for CTSDATA, which may be what the operation waits for.
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

// The IDs are of the peer's own operations: a message that it sends, and the echo that it takes.
void other_kinds_to_responder(RequesterProbe& responder) {
  responder.meet();
  const OctetBuffer message = sample_octets(90'000, 1);
  const std::uint32_t send_id = responder.fresh_id();
  responder.send_octets(
      responder.message_packets(responder.next_msg_id(), message, {.transfer = Transfer::long_cts}, send_id)[0]);
  const Received* const cts = responder.await(
      [send_id](const Received& one) { return one.is(PacketType::cts) && one.packet.send_id == send_id; });
  if (cts == nullptr) return responder.inconclusive("a long-CTS message was not allowed by a CTS");
  send_of_other_kinds(responder, cts->packet.recv_id, false);
  responder.expect_alive(kOtherKind, "with the recv_id of a message");
}

void other_kinds_to_requester(ResponderProbe& requester) {
  const auto is_long = [](const Received& one) {
    return is_request(one) && one.packet.layout()->transfer == Transfer::long_cts;
  };
  requester.leave(is_long);
  requester.trigger({.octets = 90'000, .count = 1});
  const Received* const request = requester.await(requester.in(4 * requester.run().answer_time()), is_long);
  if (request == nullptr) return requester.skip("the requester sends its long messages by another subprotocol");
  send_of_other_kinds(requester, request->packet.send_id, true);
  requester.settle();
  requester.expect_new_start(kOtherKind, "with the send_id of a message");
}

struct StrayRow {
  PacketType type;
  const Rule* rule;
  std::string_view responder, requester;  // the cases' IDs
  std::string_view purpose;
};
constexpr StrayRow kRows[] = {
    {PacketType::cts, &kCts, "stray/cts", "stray/cts-to-requester",
     "CTS with send_id from 0 to 2^32-1, for messages and for reads."},
    {PacketType::ctsdata, &kCtsdata, "stray/ctsdata", "stray/ctsdata-to-requester",
     "CTSDATA with recv_id from 0 to 2^32-1, and lengths that are wrong."},
    {PacketType::readrsp, &kReadrsp, "stray/readrsp", "stray/readrsp-to-requester",
     "READRSP with IDs from 0 to 2^32-1, and lengths that are wrong."},
    {PacketType::atomrsp, &kAtomrsp, "stray/atomrsp", "stray/atomrsp-to-requester",
     "ATOMRSP with recv_id from 0 to 2^32-1, and lengths that are wrong."},
    {PacketType::eor, &kEor, "stray/eor", "stray/eor-to-requester",
     "EOR of twelve and of sixteen octets with IDs from 0 to 2^32-1."},
    {PacketType::receipt, &kReceipt, "stray/receipt", "stray/receipt-to-requester",
     "RECEIPT with send_id from 0 to 2^32-1."},
    {PacketType::read_nack, &kReadNack, "stray/read-nack", "stray/read-nack-to-requester",
     "READ_NACK with IDs from 0 to 2^32-1."},
};

template <std::size_t row>
void add_cases(std::vector<Case>& all) {
  all.push_back({.id = kRows[row].responder,
                 .iut = Role::responder,
                 .rules = {kRows[row].rule},
                 .purpose = kRows[row].purpose,
                 .run = on_responder([](RequesterProbe& responder) {
                   stray_to_responder(responder, *kRows[row].rule, kRows[row].type);
                 })});
  all.push_back({.id = kRows[row].requester,
                 .iut = Role::initiator,
                 .rules = {kRows[row].rule},
                 .purpose = kRows[row].purpose,
                 .run = on_requester([](ResponderProbe& requester) {
                   stray_to_requester(requester, *kRows[row].rule, kRows[row].type);
                 })});
}

template <std::size_t... rows>
std::vector<Case> cases_of(std::index_sequence<rows...>) {
  std::vector<Case> all;
  (add_cases<rows>(all), ...);
  all.push_back({.id = "stray/of-another-kind",
                 .iut = Role::responder,
                 .rules = {&kOtherKind},
                 .purpose = "CTS, READRSP, ATOMRSP, EOR, RECEIPT and READ_NACK with the recv_id of a message.",
                 .run = on_responder([](RequesterProbe& responder) { other_kinds_to_responder(responder); })});
  all.push_back({.id = "stray/of-another-kind-to-requester",
                 .iut = Role::initiator,
                 .rules = {&kOtherKind},
                 .purpose = "CTSDATA, READRSP, ATOMRSP, EOR, RECEIPT and READ_NACK with the send_id of a message.",
                 .run = on_requester([](ResponderProbe& requester) { other_kinds_to_requester(requester); })});
  return all;
}

}  // namespace

SectionCases stray_cases() {
  static const std::vector<Case> kCases = cases_of(std::make_index_sequence<std::size(kRows)>());
  return {kRules, kCases};
}

}  // namespace wirelaw::efa
