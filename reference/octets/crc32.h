// SPDX-License-Identifier: Apache-2.0
// CRC32 as Ethernet's frame check sequence and InfiniBand's invariant CRC use it (IEEE 802.3, 3.2.9), computed by ISA-L
// with the instructions of the processor.
#pragma once

#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw {

// The CRC over `octets`, continuing from one over the octets before them; 0 begins. The value goes on the wire with its
// least significant octet first.
std::uint32_t crc32(Octets octets, std::uint32_t before = 0);

}  // namespace wirelaw
