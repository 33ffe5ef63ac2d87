// SPDX-License-Identifier: Apache-2.0
// A RoCEv2 packet (InfiniBand Architecture 1.4: 9.2, 9.3; Annex A17), the payload of a UDP datagram to port 4791: Base
// Transport Header, extension headers according to the opcode, payload, padding, invariant CRC. Any octets give a
// packet or an error; encode(decode(x)) == x for every x that the capture did not cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/octets/octets.h"

namespace wirelaw::roce {

inline constexpr std::uint16_t kPort = 4791;  // Annex A17.3.1
inline constexpr std::size_t kBthOctets = 12;
inline constexpr std::size_t kIcrcOctets = 4;
inline constexpr std::uint32_t kQpnMask = 0xffffff;
inline constexpr std::uint32_t kManagementQpn = 1;  // the General Services Interface (3.9.4)

enum class Kind : std::uint8_t {
  send,
  write,
  read_request,
  read_response,
  acknowledge,
  atomic_acknowledge,
  atomic,     // CmpSwap, FetchAdd
  datagram,   // a SEND of Unreliable Datagram
  congestion  // a Congestion Notification Packet (Annex A17.9.3)
};
enum class Part : std::uint8_t { only, first, middle, last };

// Extension headers, in their order on the wire (9.3).
enum class Header : std::uint8_t {
  deth = 1,
  reth = 2,
  atomic = 4,
  aeth = 8,
  atomic_ack = 16,
  immediate = 32,
  ieth = 64
};

struct OpcodeRow {
  std::uint8_t opcode;
  Kind kind;
  Part part;
  std::uint8_t headers;   // Header bits
  std::string_view name;  // as in Wireshark: "RC Send Only"

  constexpr bool has(Header header) const { return (headers & static_cast<unsigned>(header)) != 0; }
  constexpr bool ends() const { return part == Part::only || part == Part::last; }
  constexpr bool begins() const { return part == Part::only || part == Part::first; }
};
// Returns nullptr for a reserved opcode, or one of a transport that is not decoded here.
const OpcodeRow* find_opcode(std::uint8_t opcode);
std::span<const OpcodeRow> opcodes();

namespace opcode {
inline constexpr std::uint8_t kSendFirst = 0, kSendMiddle = 1, kSendLast = 2, kSendLastImmediate = 3, kSendOnly = 4,
                              kSendOnlyImmediate = 5, kWriteFirst = 6, kWriteMiddle = 7, kWriteLast = 8,
                              kWriteLastImmediate = 9, kWriteOnly = 10, kWriteOnlyImmediate = 11, kReadRequest = 12,
                              kReadResponseFirst = 13, kReadResponseMiddle = 14, kReadResponseLast = 15,
                              kReadResponseOnly = 16, kAcknowledge = 17, kAtomicAcknowledge = 18, kCompareSwap = 19,
                              kFetchAdd = 20, kSendLastInvalidate = 22, kSendOnlyInvalidate = 23,
                              kDatagramSendOnly = 0x64, kDatagramSendOnlyImmediate = 0x65, kCongestion = 0x81;
}  // namespace opcode

// Base Transport Header (9.2).
struct Bth {
  std::uint8_t opcode = 0;
  bool solicited = false;
  bool migrated = true;
  std::uint8_t pad = 0;                  // octets of padding after the payload
  std::uint8_t version = 0;              // transport header version
  std::uint16_t partition_key = 0xffff;  // the default partition, full member
  std::uint8_t congestion = 0;           // FECN, BECN and six reserved bits; not covered by a CRC
  std::uint32_t destination_qp = 0;
  bool ack_request = false;
  std::uint8_t reserved = 0;  // seven bits
  std::uint32_t psn = 0;
};

// RDMA Extended Transport Header (9.3.3).
struct Reth {
  std::uint64_t address = 0;
  std::uint32_t key = 0;
  std::uint32_t length = 0;
};
// ACK Extended Transport Header (9.3.5).
struct Aeth {
  std::uint8_t syndrome = 0;
  std::uint32_t msn = 0;
};
// Datagram Extended Transport Header (9.3.2).
struct Deth {
  std::uint32_t queue_key = 0;
  std::uint8_t reserved = 0;
  std::uint32_t source_qp = 0;
};

// The kind in an AETH's syndrome (9.7.5.1.3).
constexpr unsigned syndrome_kind(std::uint8_t syndrome) {
  return syndrome >> 5;
}
inline constexpr unsigned kAck = 0, kRnrNak = 1, kNak = 3;
inline constexpr std::uint8_t kUnlimitedCredits = 0x1f, kSequenceErrorNak = 0x60, kRemoteAccessNak = 0x62;

struct Packet {
  Bth bth;
  const OpcodeRow* row = nullptr;  // nullptr for an unknown opcode: everything after the BTH is payload
  std::optional<Deth> deth = {};
  std::optional<Reth> reth = {};
  std::optional<Aeth> aeth = {};
  Octets atomic = {};  // AtomicETH or AtomicAckETH, not decoded
  std::optional<std::uint32_t> immediate = {};
  std::optional<std::uint32_t> invalidated_key = {};
  std::size_t payload_offset = 0;  // relative to the datagram
  std::size_t payload_length = 0;  // on the wire
  Octets payload = {};             // the captured octets
  Octets padding = {};
  std::optional<std::uint32_t> icrc = {};  // nothing if it was not captured

  bool is(Kind kind) const { return row != nullptr && row->kind == kind; }
  // True if the packet answers requests, whose PSNs it has, and does not use its own (9.7.3).
  bool answers() const { return is(Kind::acknowledge) || is(Kind::read_response) || is(Kind::atomic_acknowledge); }
  bool requests() const { return is(Kind::send) || is(Kind::write) || is(Kind::read_request) || is(Kind::atomic); }
  bool is_cut() const { return payload.size() < payload_length; }
};

struct PacketError {
  std::size_t offset = 0;
  std::string_view text;
};

// Decodes a datagram of `wire_length` octets, of which the capture has `octets`. The packet refers to them.
tl::expected<Packet, PacketError> decode(Octets octets, std::size_t wire_length);
inline tl::expected<Packet, PacketError> decode(Octets octets) {
  return decode(octets, octets.size());
}
// Appends the packet. Without Packet::icrc, no octets are added for one. Writes the headers that the packet has, in
// wire order, whatever the opcode.
void encode(const Packet& packet, OctetBuffer& out);

// PSNs are numbers of 24 bits that wrap (9.7.1). Returns the distance from `base` to `psn`; negative if `psn` is
// earlier.
constexpr std::int32_t psn_distance(std::uint32_t psn, std::uint32_t base) {
  const std::uint32_t ahead = (psn - base) & kQpnMask;
  return ahead < 0x800000 ? static_cast<std::int32_t>(ahead) : static_cast<std::int32_t>(ahead) - 0x1000000;
}
constexpr std::uint32_t psn_after(std::uint32_t psn, std::uint32_t count = 1) {
  return (psn + count) & kQpnMask;
}

}  // namespace wirelaw::roce
