// SPDX-License-Identifier: Apache-2.0
// Extra features and extra requests (table 2.1), and the bits of `extra_info` that announce them (2.1).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "reference/efa/revision.h"
#include "reference/octets/octets.h"

namespace wirelaw::efa {

// Values are the IDs of table 2.1.
enum class Extra : std::uint8_t {
  rdma_read = 0,
  delivery_complete = 1,
  constant_header_length = 2,
  connid_header = 3,
  runting_read = 4,
  rdma_write = 5,
  read_nack = 6,
  user_recv_qp = 7,
  unsolicited_write_recv = 8,
  peer_error = 9,
};

// A feature is an ability of an endpoint; a request is a wish to its peer (2.1).
enum class ExtraKind : std::uint8_t { feature, request, feature_and_request };

struct ExtraInfo {
  Extra id;
  std::string_view name;  // in a declaration and in a dissector: "delivery_complete"
  ExtraKind kind;
  std::string_view since;               // libfabric release
  std::string_view section;             // "4.2"
  std::string_view text;                // name in table 2.1
  Revision first = Revision::v2023_10;  // first document that has it
  // The first document in which every endpoint has it: it is still announced, but endpoints do not check that.
  std::optional<Revision> baseline = {};
};

std::span<const ExtraInfo> all_extras();  // by ID
// A feature without an ID in extra_info: its application declares that all peers are like itself (libfabric 2.2 and
// later), so that no endpoint waits for announcements in a HANDSHAKE.
inline constexpr std::string_view kHomogeneousPeers = "homogeneous_peers";

const ExtraInfo* find_extra(unsigned id);  // nullptr if the ID is not assigned

// Bit masks, indexed by ID: the IDs that the document assigns, and those that are baseline.
std::uint64_t extras_of(Revision revision);
std::uint64_t baseline_of(Revision revision);

// The first word of extra_info with these bits.
constexpr std::uint64_t extra_bits(std::initializer_list<Extra> extras) {
  std::uint64_t bits = 0;
  for (const Extra extra : extras) bits |= std::uint64_t{1} << static_cast<unsigned>(extra);
  return bits;
}

// Bit `id` of an extra_info array as in a packet: bit id%64 of the little-endian 8-octet member id/64. Clear if the
// array is shorter.
constexpr bool announces(Octets extra_info, unsigned id) {
  const std::size_t at = std::size_t{id / 64} * 8;
  return at + 8 <= extra_info.size() &&
         (load_little_endian<std::uint64_t>(extra_info.data() + at) >> (id % 64) & 1) != 0;
}
constexpr bool announces(Octets extra_info, Extra extra) {
  return announces(extra_info, static_cast<unsigned>(extra));
}

}  // namespace wirelaw::efa
