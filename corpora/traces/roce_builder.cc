// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/roce_builder.h"

#include <algorithm>

namespace wirelaw::corpora {

using namespace roce;

// The PSNs of side a wrap after a few packets.
RoceTraceBuilder::RoceTraceBuilder(std::uint32_t number)
    : ways_{Way{.qpn = 0x11 + number, .psn = (0xfffffe + number * 1000) & kQpnMask, .id = 0xa0000001 + number},
            Way{.qpn = 0x21 + number, .psn = (0x000500 + number * 1000) & kQpnMask, .id = 0xb0000001 + number}} {}

void RoceTraceBuilder::packet(Side side, const Packet& packet) {
  TraceMessage message{.sender = side, .octets = {}};
  encode(packet, message.octets);
  if (!packet.icrc) message.octets.resize(message.octets.size() + kIcrcOctets);
  messages_.push_back(std::move(message));
}

Packet RoceTraceBuilder::to(Side side, std::uint8_t opcode, std::uint32_t psn) const {
  return {.bth = {.opcode = opcode, .destination_qp = way(other(side)).qpn, .psn = psn}};
}

// ----------------------------------------------------------------------------------------------------- management

void RoceTraceBuilder::manage(Side side, const CmMessage& message) {
  constexpr std::uint32_t kGeneralServicesKey = 0x80010000;
  OctetBuffer mad;
  encode(message, mad);
  Packet one = to(side, opcode::kDatagramSendOnly, 0);
  one.bth.destination_qp = kManagementQpn;
  one.deth = Deth{.queue_key = kGeneralServicesKey, .source_qp = kManagementQpn};
  one.payload = mad;
  last_ = messages_.size();
  packet(side, one);
}

void RoceTraceBuilder::start(std::uint16_t service) {
  const Way &a = way(Side::a), &b = way(Side::b);
  manage(Side::a, {.type = CmType::request,
                   .transaction = a.id,
                   .local_id = a.id,
                   .qpn = a.qpn,
                   .starting_psn = b.psn,
                   .service_id = service_of(service),
                   .path_mtu = kPathMtu});
  manage(Side::b, {.type = CmType::reply,
                   .transaction = a.id,
                   .local_id = b.id,
                   .remote_id = a.id,
                   .qpn = b.qpn,
                   .starting_psn = a.psn});
  manage(Side::a, {.type = CmType::ready, .transaction = a.id, .local_id = a.id, .remote_id = b.id});
}

void RoceTraceBuilder::close(Side side) {
  const Way &from = way(side), &peer = way(other(side));
  manage(side, {.type = closing_ ? CmType::disconnected : CmType::disconnection,
                .transaction = way(Side::a).id + 0x100,
                .local_id = from.id,
                .remote_id = peer.id,
                .qpn = peer.qpn});
  closing_ = true;
}

// ------------------------------------------------------------------------------------------------------- messages

// Opcodes: first, middle, last, only.
void RoceTraceBuilder::request(Side side, Octets payload, std::array<std::uint8_t, 4> opcodes, const Edit& edit) {
  last_ = messages_.size();
  Way& from = way(side);
  std::size_t at = 0;
  do {
    const Octets part = payload.subspan(at, std::min<std::size_t>(kMtu, payload.size() - at));
    const bool first = at == 0, ends = at + part.size() == payload.size();
    Packet one = to(side, opcodes[first && ends ? 3 : first ? 0 : ends ? 2 : 1], from.psn);
    constexpr std::array<Octet, 3> kZeros{};
    one.payload = part;
    one.bth.pad = static_cast<std::uint8_t>((4 - part.size() % 4) % 4);
    one.padding = Octets(kZeros).first(one.bth.pad);
    one.bth.ack_request = ends;
    one.row = find_opcode(one.bth.opcode);
    if (edit) edit(one);
    packet(side, one);
    from.psn = psn_after(from.psn);
    at += part.size();
  } while (at < payload.size());
  ++way(other(side)).received;
  if (acknowledges_) acknowledge(other(side), psn_after(from.psn, kQpnMask));
}

void RoceTraceBuilder::send(Side side, Octets payload, std::optional<std::uint32_t> invalidate, const Edit& edit) {
  const bool has = invalidate.has_value();
  request(side, payload,
          {opcode::kSendFirst, opcode::kSendMiddle, has ? opcode::kSendLastInvalidate : opcode::kSendLast,
           has ? opcode::kSendOnlyInvalidate : opcode::kSendOnly},
          [&](Packet& one) {
            if (one.row->has(Header::ieth)) one.invalidated_key = invalidate;
            if (edit) edit(one);
          });
}

void RoceTraceBuilder::write(Side side, Octets payload, std::uint32_t key, std::uint64_t address) {
  request(side, payload, {opcode::kWriteFirst, opcode::kWriteMiddle, opcode::kWriteLast, opcode::kWriteOnly},
          [&](Packet& one) {
            if (one.row->has(Header::reth)) one.reth = Reth{address, key, static_cast<std::uint32_t>(payload.size())};
          });
}

void RoceTraceBuilder::read(Side side, std::uint32_t length, std::uint32_t key, std::uint64_t address) {
  last_ = messages_.size();
  Way& from = way(side);
  Packet asks = to(side, opcode::kReadRequest, from.psn);
  asks.reth = Reth{address, key, length};
  packet(side, asks);
  ++way(other(side)).received;
  const std::uint32_t packets = length == 0 ? 1 : (length - 1) / kMtu + 1;
  for (std::uint32_t i = 0; i < packets; ++i) {
    const bool first = i == 0, ends = i + 1 == packets;
    const std::uint32_t octets = ends ? length - i * kMtu : kMtu;
    Packet one = to(other(side),
                    first && ends ? opcode::kReadResponseOnly
                    : first       ? opcode::kReadResponseFirst
                    : ends        ? opcode::kReadResponseLast
                                  : opcode::kReadResponseMiddle,
                    psn_after(from.psn, i));
    if (first || ends) one.aeth = Aeth{kUnlimitedCredits, way(other(side)).received};
    const OctetBuffer payload((octets + 3) / 4 * 4);
    one.payload = Octets(payload).first(octets);
    one.bth.pad = static_cast<std::uint8_t>(payload.size() - octets);
    one.padding = Octets(payload).subspan(octets);
    packet(other(side), one);
  }
  from.psn = psn_after(from.psn, packets);
}

void RoceTraceBuilder::acknowledge(Side side, std::uint32_t psn, std::uint8_t syndrome) {
  Packet one = to(side, opcode::kAcknowledge, psn);
  one.aeth = Aeth{syndrome, way(side).received};
  packet(side, one);
}

void RoceTraceBuilder::notify_congestion(Side side) {
  constexpr std::array<Octet, 16> kReserved{};
  Packet one = to(side, opcode::kCongestion, 0);
  one.bth.congestion = 0x40;  // BECN
  one.payload = kReserved;
  packet(side, one);
}

}  // namespace wirelaw::corpora
