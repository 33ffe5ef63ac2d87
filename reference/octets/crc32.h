// SPDX-License-Identifier: Apache-2.0
// CRC32 for Ethernet's frame check sequence and InfiniBand's invariant CRC (IEEE 802.3, 3.2.9), computed by ISA-L with
// special CPU instructions.
#pragma once

#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw {

// Returns the CRC of `octets`. To continue, pass the CRC of the octets before them; 0: none. On the wire, the least
// significant octet of the value comes first.
std::uint32_t crc32(Octets octets, std::uint32_t before = 0);

}  // namespace wirelaw
