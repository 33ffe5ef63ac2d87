// SPDX-License-Identifier: Apache-2.0
// An EFA RDM packet in parts, decoded and encoded by the table of layout.h. Decoding is total: any octets give a packet
// or a typed error. Reserved bits, padding, wrong versions and types without a format are kept, so that
// encode(decode(x)) == x for every x that decodes. All integers are little-endian.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/efa/layout.h"
#include "reference/efa/raw_address.h"
#include "reference/octets/octets.h"

namespace wirelaw::efa {

// All fields of all packet types. Fields that the type lacks, or whose optional header the flags do not announce, are
// zero or empty, and encode() ignores them. encode() writes counts as given, whatever the arrays contain.
struct Packet {
  std::uint8_t type = 0;
  std::uint8_t version = kVersion;
  std::uint16_t flags = 0;

  std::uint32_t msg_id = 0;
  std::uint32_t send_id = 0;
  std::uint32_t recv_id = 0;
  std::uint32_t op_id = 0;
  std::uint32_t ref_kind = 0;
  std::uint32_t prov_errno = 0;
  std::uint32_t rma_iov_count = 0;
  std::uint32_t read_iov_count = 0;
  std::uint32_t credit_request = 0;
  std::uint32_t atomic_datatype = 0;
  std::uint32_t atomic_op = 0;
  std::uint32_t padding = 0;
  std::uint32_t connid = 0;  // or padding at the same offset (connid_of)
  std::uint32_t connid_padding = 0;
  std::uint32_t nextra_p3 = 0;
  std::uint32_t device_version = 0;
  std::uint32_t device_reserved = 0;
  std::uint32_t user_recv_qpn = 0;
  std::uint32_t user_recv_qkey = 0;
  std::uint32_t raw_address_size = 0;
  std::uint64_t msg_length = 0;
  std::uint64_t seg_length = 0;
  std::uint64_t recv_length = 0;
  std::uint64_t seg_offset = 0;
  std::uint64_t runt_length = 0;
  std::uint64_t tag = 0;
  std::uint64_t cq_data = 0;
  std::uint64_t host_id = 0;
  std::uint64_t hmem_reserved = 0;  // seven octets
  std::uint8_t p2p_supported = 0;

  // Views of the decoded octets, valid as long as these.
  Octets rma_iov = {};
  Octets extra_info = {};
  Octets raw_address = {};  // without its size field
  Octets read_iov = {};
  Octets payload = {};  // octets after the headers: data, or unexpected octets

  bool short_header = false;  // Layout::short_octets

  constexpr bool is(PacketType wanted) const { return type == static_cast<std::uint8_t>(wanted); }
  constexpr bool has(std::uint16_t flag) const { return (flags & flag) != 0; }
  const Layout* layout() const { return find_layout(type); }
};

// A packet of this type with the flags that its use implies, including REQ_RMA, which a sender should set (EFA/A-09).
Packet packet_of(PacketType type);

// Why octets cannot be decoded: a part of the packet is incomplete.
struct DecodeError {
  std::string_view part;     // "base header", "header", the name of an array or of an optional header
  std::size_t offset = 0;    // offset of the part
  std::uint64_t needed = 0;  // length of the part in octets
  std::size_t there = 0;     // octets present after `offset`
  const Layout* layout = nullptr;
};

tl::expected<Packet, DecodeError> decode(Octets octets);

// Appends the packet to `out`.
void encode(const Packet& packet, OctetBuffer& out);
OctetBuffer encode(const Packet& packet);
// Number of octets before the payload.
std::size_t header_octets(const Packet& packet);

// The connection ID, if the packet has one (4.4).
std::optional<std::uint32_t> connid_of(const Packet& packet);

// A field selected by name, for tables and mutators. Fields of array elements are not supported: get() returns zero,
// and set() ignores them.
std::uint64_t get(const Packet& packet, Field field);
void set(Packet& packet, Field field, std::uint64_t value);

// The place of a field in this packet; nothing if the packet lacks it. Not for fields of arrays.
struct Place {
  std::size_t offset = 0;
  std::size_t width = 0;
};
std::optional<Place> find_field(const Packet& packet, Field field);

}  // namespace wirelaw::efa
