// SPDX-License-Identifier: Apache-2.0
#include "reference/roce/packet.h"

#include <algorithm>
#include <array>

namespace wirelaw::roce {
namespace {

constexpr std::uint8_t bits(std::initializer_list<Header> headers) {
  unsigned all = 0;
  for (const Header one : headers) all |= static_cast<unsigned>(one);
  return static_cast<std::uint8_t>(all);
}
constexpr std::uint8_t kNone = 0, kReth = bits({Header::reth}), kAeth = bits({Header::aeth}),
                       kImmediate = bits({Header::immediate}), kIeth = bits({Header::ieth}),
                       kAtomic = bits({Header::atomic});

// Table 38 of 9.2.1, for the transports that are decoded here.
constexpr OpcodeRow kOpcodes[] = {
    {opcode::kSendFirst, Kind::send, Part::first, kNone, "RC Send First"},
    {opcode::kSendMiddle, Kind::send, Part::middle, kNone, "RC Send Middle"},
    {opcode::kSendLast, Kind::send, Part::last, kNone, "RC Send Last"},
    {opcode::kSendLastImmediate, Kind::send, Part::last, kImmediate, "RC Send Last Immediate"},
    {opcode::kSendOnly, Kind::send, Part::only, kNone, "RC Send Only"},
    {opcode::kSendOnlyImmediate, Kind::send, Part::only, kImmediate, "RC Send Only Immediate"},
    {opcode::kWriteFirst, Kind::write, Part::first, kReth, "RC RDMA Write First"},
    {opcode::kWriteMiddle, Kind::write, Part::middle, kNone, "RC RDMA Write Middle"},
    {opcode::kWriteLast, Kind::write, Part::last, kNone, "RC RDMA Write Last"},
    {opcode::kWriteLastImmediate, Kind::write, Part::last, kImmediate, "RC RDMA Write Last Immediate"},
    {opcode::kWriteOnly, Kind::write, Part::only, kReth, "RC RDMA Write Only"},
    {opcode::kWriteOnlyImmediate, Kind::write, Part::only, bits({Header::reth, Header::immediate}),
     "RC RDMA Write Only Immediate"},
    {opcode::kReadRequest, Kind::read_request, Part::only, kReth, "RC RDMA Read Request"},
    {opcode::kReadResponseFirst, Kind::read_response, Part::first, kAeth, "RC RDMA Read Response First"},
    {opcode::kReadResponseMiddle, Kind::read_response, Part::middle, kNone, "RC RDMA Read Response Middle"},
    {opcode::kReadResponseLast, Kind::read_response, Part::last, kAeth, "RC RDMA Read Response Last"},
    {opcode::kReadResponseOnly, Kind::read_response, Part::only, kAeth, "RC RDMA Read Response Only"},
    {opcode::kAcknowledge, Kind::acknowledge, Part::only, kAeth, "RC Acknowledge"},
    {opcode::kAtomicAcknowledge, Kind::atomic_acknowledge, Part::only, bits({Header::aeth, Header::atomic_ack}),
     "RC Atomic Acknowledge"},
    {opcode::kCompareSwap, Kind::atomic, Part::only, kAtomic, "RC Compare And Swap"},
    {opcode::kFetchAdd, Kind::atomic, Part::only, kAtomic, "RC Fetch And Add"},
    {opcode::kSendLastInvalidate, Kind::send, Part::last, kIeth, "RC Send Last Invalidate"},
    {opcode::kSendOnlyInvalidate, Kind::send, Part::only, kIeth, "RC Send Only Invalidate"},
    {opcode::kDatagramSendOnly, Kind::datagram, Part::only, bits({Header::deth}), "UD Send Only"},
    {opcode::kDatagramSendOnlyImmediate, Kind::datagram, Part::only, bits({Header::deth, Header::immediate}),
     "UD Send Only Immediate"},
    {opcode::kCongestion, Kind::congestion, Part::only, kNone, "CNP"},
};

constexpr std::size_t kNoRow = std::size(kOpcodes);
constexpr auto kRowOf = [] {
  std::array<std::uint8_t, 256> rows{};
  rows.fill(static_cast<std::uint8_t>(kNoRow));
  for (std::size_t i = 0; i < kNoRow; ++i) rows[kOpcodes[i].opcode] = static_cast<std::uint8_t>(i);
  return rows;
}();

constexpr unsigned kMost24 = 24;

std::uint32_t low_24(std::uint32_t word) {
  return word & kQpnMask;
}

Bth read_bth(Reader& in) {
  Bth bth;
  bth.opcode = in.octet();
  const Octet flags = in.octet();
  bth.solicited = (flags & 0x80) != 0;
  bth.migrated = (flags & 0x40) != 0;
  bth.pad = flags >> 4 & 3;
  bth.version = flags & 0xf;
  bth.partition_key = in.big_endian<std::uint16_t>();
  const auto queue = in.big_endian<std::uint32_t>();
  bth.congestion = static_cast<std::uint8_t>(queue >> kMost24);
  bth.destination_qp = low_24(queue);
  const auto sequence = in.big_endian<std::uint32_t>();
  bth.ack_request = sequence >> 31 != 0;
  bth.reserved = sequence >> kMost24 & 0x7f;
  bth.psn = low_24(sequence);
  return bth;
}

void read_headers(Reader& in, const OpcodeRow& row, Packet& packet) {
  constexpr std::size_t kAtomicOctets = 28, kAtomicAckOctets = 8;
  if (row.has(Header::deth)) {
    packet.deth.emplace();
    packet.deth->queue_key = in.big_endian<std::uint32_t>();
    const auto source = in.big_endian<std::uint32_t>();
    packet.deth->reserved = static_cast<std::uint8_t>(source >> kMost24);
    packet.deth->source_qp = low_24(source);
  }
  if (row.has(Header::reth)) {
    packet.reth.emplace();
    packet.reth->address = in.big_endian<std::uint64_t>();
    packet.reth->key = in.big_endian<std::uint32_t>();
    packet.reth->length = in.big_endian<std::uint32_t>();
  }
  if (row.has(Header::atomic)) packet.atomic = in.octets(kAtomicOctets);
  if (row.has(Header::aeth)) {
    const auto word = in.big_endian<std::uint32_t>();
    packet.aeth = Aeth{static_cast<std::uint8_t>(word >> kMost24), low_24(word)};
  }
  if (row.has(Header::atomic_ack)) packet.atomic = in.octets(kAtomicAckOctets);
  if (row.has(Header::immediate)) packet.immediate = in.big_endian<std::uint32_t>();
  if (row.has(Header::ieth)) packet.invalidated_key = in.big_endian<std::uint32_t>();
}

}  // namespace

const OpcodeRow* find_opcode(std::uint8_t opcode) {
  const std::size_t row = kRowOf[opcode];
  return row == kNoRow ? nullptr : &kOpcodes[row];
}

std::span<const OpcodeRow> opcodes() {
  return kOpcodes;
}

tl::expected<Packet, PacketError> decode(Octets octets, std::size_t wire_length) {
  Reader in(octets);
  Packet packet;
  packet.bth = read_bth(in);
  if (!in.ok()) return tl::make_unexpected(PacketError{in.offset(), "the Base Transport Header is not whole"});
  packet.row = find_opcode(packet.bth.opcode);
  if (packet.row != nullptr) read_headers(in, *packet.row, packet);
  if (!in.ok()) return tl::make_unexpected(PacketError{in.offset(), "an extension header is not whole"});
  packet.payload_offset = in.offset();
  const std::size_t behind = packet.bth.pad + kIcrcOctets;
  if (wire_length < packet.payload_offset + behind)
    return tl::make_unexpected(PacketError{in.offset(), "there is no room for the padding and the invariant CRC"});
  packet.payload_length = wire_length - packet.payload_offset - behind;
  packet.payload =
      octets.subspan(packet.payload_offset, std::min(packet.payload_length, octets.size() - packet.payload_offset));
  const Octets rest = octets.subspan(packet.payload_offset + packet.payload.size());
  packet.padding = rest.first(std::min<std::size_t>(packet.bth.pad, rest.size()));
  if (octets.size() >= wire_length)
    packet.icrc = load_little_endian<std::uint32_t>(octets.data() + wire_length - kIcrcOctets);
  return packet;
}

void encode(const Packet& packet, OctetBuffer& out) {
  const Bth& bth = packet.bth;
  Writer to(out);
  to.octet(bth.opcode)
      .octet(static_cast<Octet>((bth.solicited ? 0x80 : 0) | (bth.migrated ? 0x40 : 0) | (bth.pad & 3) << 4 |
                                (bth.version & 0xf)));
  to.big_endian(bth.partition_key);
  to.big_endian(std::uint32_t{bth.congestion} << kMost24 | low_24(bth.destination_qp));
  to.big_endian((bth.ack_request ? 0x80000000U : 0U) | std::uint32_t{bth.reserved & 0x7fU} << kMost24 |
                low_24(bth.psn));
  if (packet.deth)
    to.big_endian(packet.deth->queue_key)
        .big_endian(std::uint32_t{packet.deth->reserved} << kMost24 | low_24(packet.deth->source_qp));
  if (packet.reth) to.big_endian(packet.reth->address).big_endian(packet.reth->key).big_endian(packet.reth->length);
  const bool is_answer = packet.aeth.has_value();
  if (!is_answer) to.octets(packet.atomic);
  if (packet.aeth) to.big_endian(std::uint32_t{packet.aeth->syndrome} << kMost24 | low_24(packet.aeth->msn));
  if (is_answer) to.octets(packet.atomic);
  if (packet.immediate) to.big_endian(*packet.immediate);
  if (packet.invalidated_key) to.big_endian(*packet.invalidated_key);
  to.octets(packet.payload).octets(packet.padding);
  if (packet.icrc) to.little_endian(*packet.icrc);
}

}  // namespace wirelaw::roce
