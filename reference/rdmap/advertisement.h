// SPDX-License-Identifier: Apache-2.0
// The format in which the test application advertises its buffers to its peer. It is in the private data of its start
// frame (in enhanced set-up after the enhanced data): eight octets "WIRELAW1" and a record for each buffer, all
// integers big-endian:
//
//    0  STag    32 bits
//    4  TO      64 bits, of the first octet
//   12  length  32 bits
//
// Octets after the last whole record have no meaning. The meaning of each record follows from its place; see
// harness/peers/rdmap_peer.h.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reference/octets/octets.h"
#include "reference/rdmap/buffers.h"

namespace wirelaw::rdmap {

inline constexpr std::string_view kAdvertisementMagic = "WIRELAW1";
inline constexpr std::size_t kAdvertisedBuffer = 16;  // size of a record in octets

struct AdvertisedBuffer {
  BufferAt at;
  std::uint32_t length = 0;
};

OctetBuffer encode_advertisement(std::span<const AdvertisedBuffer> buffers);
// Returns nothing if the octets do not begin with "WIRELAW1".
std::optional<std::vector<AdvertisedBuffer>> decode_advertisement(Octets private_data);

}  // namespace wirelaw::rdmap
