// SPDX-License-Identifier: Apache-2.0
// The raw address of an endpoint (1.4, table 1.5), and efa_rma_iov (3.3). Integers are little-endian; the GID is 16
// octets in network order (EFA/A-21).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "reference/octets/octets.h"

namespace wirelaw::efa {

namespace layout {
inline constexpr std::size_t kRawAddress = 32;  // minimum length in octets (EFA/A-07)
inline constexpr std::size_t kRmaIov = 24;      // length of one efa_rma_iov
inline constexpr std::size_t kExtraInfo = 8;    // length of one member of extra_info
}  // namespace layout

struct RawAddress {
  std::array<Octet, 16> gid = {};
  std::uint16_t qpn = 0;
  std::uint16_t pad = 0;
  std::uint32_t connid = 0;
  std::uint64_t reserved = 0;
  // True for the same endpoint; padding and reserved octets may differ.
  bool same_endpoint(const RawAddress& other) const {
    return gid == other.gid && qpn == other.qpn && connid == other.connid;
  }
  friend bool operator==(const RawAddress&, const RawAddress&) = default;
};

// Decodes the first 32 octets; the others are padding or a later format. Returns nothing if there are fewer.
std::optional<RawAddress> decode_raw_address(Octets octets);
void encode(const RawAddress& address, OctetBuffer& out);

// A buffer of the other side: address, length in octets, and registration key.
struct RmaIov {
  std::uint64_t addr = 0;
  std::uint64_t len = 0;
  std::uint64_t key = 0;
  friend bool operator==(const RmaIov&, const RmaIov&) = default;
};

constexpr std::size_t rma_iov_count(Octets array) {
  return array.size() / layout::kRmaIov;
}
// Element `index` of an rma_iov or read_iov array; index < rma_iov_count(array).
RmaIov rma_iov_at(Octets array, std::size_t index);
void encode(const RmaIov& iov, OctetBuffer& out);

}  // namespace wirelaw::efa
