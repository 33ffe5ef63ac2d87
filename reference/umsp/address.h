// SPDX-License-Identifier: Apache-2.0
// UMSP's 128-bit memory addresses (RFC 3018 2.1, 3.4) and identifiers with the same structure (5): GJID and GTID, which
// omit FREE, and LTID and CTID, which replace the address of local memory.
//
// A header octet determines how the other fifteen are divided, in this order:
//   FREE       the remaining octets
//   NODE_ADDR  ADDR_LENGTH octets
//   MEM_ADDR   2, 3, 4 or 8 octets, according to ADDR_CODE
// Octets are in network byte order; bit 0 is the most significant one (ruling UMSP/A5). Any sixteen octets are an
// Address: an error in them is available as a flaw, and the octets are kept.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/octets/octets.h"

namespace wirelaw::umsp {

inline constexpr std::uint16_t kPort = 2110;  // TCP and UDP (3.4)

inline constexpr std::size_t kAddressOctets = 16;
inline constexpr std::size_t kLeastIdentifier = 4;  // minimum length of a GJID or GTID in octets (5)

// Octets of MEM_ADDR for each ADDR_CODE.
inline constexpr std::array<std::uint8_t, 4> kMemoryOctets{2, 3, 4, 8};

// The header octet: the address format number "N ADDR_LENGTH-NET_TYPE-ADDR_CODE".
struct AddressFormat {
  std::uint8_t addr_length = 0;  // 4 bits: octets of NODE_ADDR; 0 is not allowed
  std::uint8_t net_type = 0;     // 2 bits
  std::uint8_t addr_code = 0;    // 2 bits

  constexpr std::size_t node_octets() const { return addr_length; }
  constexpr std::size_t memory_octets() const { return kMemoryOctets[addr_code & 3]; }
  // Length of the header, NODE_ADDR and MEM_ADDR; for a GJID or GTID, its length. More than sixteen if no address can
  // have this form.
  constexpr std::size_t octets() const { return 1 + node_octets() + memory_octets(); }
  // Length of FREE; 0 if there is no room for it.
  constexpr std::size_t free_octets() const { return octets() < kAddressOctets ? kAddressOctets - octets() : 0; }

  friend constexpr bool operator==(const AddressFormat&, const AddressFormat&) = default;
};

// N 4-0-0, N 4-0-1 and N 4-0-2: nodes on the global IPv4 network, with local addresses of 2, 3 and 4 octets (3.4).
inline constexpr AddressFormat kIpv4Memory16{4, 0, 0};
inline constexpr AddressFormat kIpv4Memory24{4, 0, 1};
inline constexpr AddressFormat kIpv4Memory32{4, 0, 2};

constexpr AddressFormat decode_format(Octet header) {
  return {static_cast<std::uint8_t>(header >> 4), static_cast<std::uint8_t>(header >> 2 & 3),
          static_cast<std::uint8_t>(header & 3)};
}
constexpr Octet encode(AddressFormat format) {
  return static_cast<Octet>((format.addr_length & 15) << 4 | (format.net_type & 3) << 2 | (format.addr_code & 3));
}

// The errors in a header octet. Each makes the other octets meaningless.
enum class FormatFlaw : std::uint8_t {
  no_node,   // ADDR_LENGTH is 0
  too_long,  // NODE_ADDR and MEM_ADDR do not fit into sixteen octets
};
std::optional<FormatFlaw> flaw_of(AddressFormat format);
std::string_view explain(FormatFlaw flaw);

// True if the document assigns a network to the format number: the three of IPv4.
constexpr bool is_assigned(AddressFormat format) {
  return format.addr_length == 4 && format.net_type == 0 && format.addr_code <= 2;
}

// The number as in the document: "N 4-0-2".
std::string to_string(AddressFormat format);

// A complete address. The parts are empty, and the local address 0, if the format has a flaw.
struct Address {
  std::array<Octet, kAddressOctets> octets{};

  constexpr AddressFormat format() const { return decode_format(octets[0]); }
  Octets free() const;
  Octets node() const;
  std::uint64_t memory() const;
  // True if FREE is in use: then the short forms of the address are not allowed (2.1).
  bool uses_free() const;

  friend constexpr bool operator==(const Address&, const Address&) = default;
};

// Decodes the first sixteen octets; returns nothing if there are fewer.
std::optional<Address> decode_address(Octets octets);

// Why parts do not form an address.
enum class PartsFlaw : std::uint8_t {
  format,  // the format has a flaw
  node,    // the node's address does not have ADDR_LENGTH octets
  memory,  // the local address is longer than MEM_ADDR
  free,    // longer than FREE
};

// `free` fills the last octets of FREE; those in front of them are 0.
tl::expected<Address, PartsFlaw> make_address(AddressFormat format, Octets node, std::uint64_t memory,
                                              Octets free = {});

// "N 4-0-2 10.0.0.1 memory 0x00001000", with " free 0x..." after it if FREE is in use. A node's address that is no
// IPv4 address is hexadecimal. An address whose format has a flaw: "N 0-0-0 (...)", and its octets.
std::string to_string(const Address& address);

// A GJID or a GTID (5): the header, NODE_ADDR and, for MEM_ADDR, the CTID or LTID of a task.
struct Identifier {
  AddressFormat format;
  std::array<Octet, 13> node_octets{};  // the first ADDR_LENGTH of them
  std::uint64_t task = 0;

  constexpr std::size_t octets() const { return format.octets(); }
  Octets node() const { return Octets(node_octets).first(format.addr_length < 13 ? format.addr_length : 13); }
  friend constexpr bool operator==(const Identifier&, const Identifier&) = default;
};

// Why octets do not begin with an identifier.
struct IdentifierError {
  enum class Problem : std::uint8_t { truncated, no_node, too_long } problem;
  std::size_t needed = 0;  // length of the identifier according to its header; 1 if that is missing
  std::size_t there = 0;
};
std::string explain(const IdentifierError& error);

// Decodes the identifier at the beginning of `octets`; ignores the octets after it.
tl::expected<Identifier, IdentifierError> decode_identifier(Octets octets);
// Appends the identifier to `out`.
void encode(const Identifier& identifier, OctetBuffer& out);
OctetBuffer encode(const Identifier& identifier);

tl::expected<Identifier, PartsFlaw> make_identifier(AddressFormat format, Octets node, std::uint64_t task);
// Convert an address to an identifier, without the FREE octets, and back, with zeros in their place.
tl::expected<Identifier, PartsFlaw> identifier_of(const Address& address);
Address address_of(const Identifier& identifier);

// "N 4-0-2 10.0.0.1 task 0x00000001".
std::string to_string(const Identifier& identifier);

// Length of the field for a CTID, an LTID or a local address of this length, if the instruction has room for it: a
// 24-bit one takes four octets (5, 6).
constexpr std::size_t field_octets(std::size_t memory_octets) {
  return memory_octets == 3 ? 4 : memory_octets;
}

}  // namespace wirelaw::umsp
