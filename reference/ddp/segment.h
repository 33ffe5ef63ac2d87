// SPDX-License-Identifier: Apache-2.0
// DDP segments (RFC 5041, 4): the control octet, and the headers of the tagged and the untagged model. Integers are
// big-endian on the wire.
#pragma once

#include <cstdint>
#include <tl/expected.hpp>

#include "reference/octets/octets.h"

namespace wirelaw::ddp {

// Octet offsets in the ULPDU, in wire order (figures 4 and 5).
namespace layout {
inline constexpr std::size_t kControl = 0;      // 1: T, L, four reserved bits, DV
inline constexpr std::size_t kRsvdUlp = 1;      // 1, and in untagged segments four more
inline constexpr std::size_t kStag = 2;         // 4  tagged
inline constexpr std::size_t kTo = 6;           // 8
inline constexpr std::size_t kTagged = 14;      // octets of the tagged header
inline constexpr std::size_t kRsvdUlpRest = 2;  // 4  untagged
inline constexpr std::size_t kQn = 6;           // 4
inline constexpr std::size_t kMsn = 10;         // 4
inline constexpr std::size_t kMo = 14;          // 4
inline constexpr std::size_t kUntagged = 18;    // octets of the untagged header
}  // namespace layout

inline constexpr std::uint8_t kVersion = 1;
inline constexpr std::uint32_t kFirstMsn = 1;  // 4.3

// A header of either model; the fields of the other are zero.
struct Header {
  bool tagged = false;              // T
  bool last = false;                // L
  std::uint8_t reserved = 0;        // four bits
  std::uint8_t version = kVersion;  // DV, two bits
  std::uint8_t rsvd_ulp = 0;        // the octet of both models: RDMAP's control field
  // tagged
  std::uint32_t stag = 0;
  std::uint64_t to = 0;
  // untagged
  std::uint32_t rsvd_ulp_rest = 0;  // the other 32 bits of RsvdULP: RDMAP's Invalidate STag
  std::uint32_t qn = 0;
  std::uint32_t msn = 0;
  std::uint32_t mo = 0;

  constexpr std::size_t octets() const { return tagged ? layout::kTagged : layout::kUntagged; }
  friend constexpr bool operator==(const Header&, const Header&) = default;
};

struct Segment {
  Header header;
  Octets payload;  // a view of the decoded octets
};

// The octets are shorter than the header; the control octet, if present, shows which header it would be.
struct SegmentShort {
  std::size_t have = 0;
  std::size_t needed = 0;
  friend constexpr bool operator==(const SegmentShort&, const SegmentShort&) = default;
};

tl::expected<Segment, SegmentShort> decode(Octets ulpdu);

// Appends the header. encode(decode(x).header) + payload == x for every x that decodes.
void encode(const Header& header, OctetBuffer& out);

}  // namespace wirelaw::ddp
