// SPDX-License-Identifier: Apache-2.0
// CRC32c (Castagnoli) for iSCSI and MPA (RFC 5044, 4.4; RFC 3720, 12.1), computed by ISA-L with special CPU
// instructions.
#pragma once

#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw {

// Returns the CRC of `octets`. To continue, pass the CRC of the octets before them: crc32c(b, crc32c(a)) is the CRC of
// a followed by b; 0 begins. On the wire, the least significant octet of the value comes first.
std::uint32_t crc32c(Octets octets, std::uint32_t before = 0);

// Returns the CRC of b from those of a and of a followed by b: b, of this many octets, is not read again.
std::uint32_t crc32c_behind(std::uint32_t of_both, std::uint32_t of_first, std::uint32_t octets_behind);

}  // namespace wirelaw
