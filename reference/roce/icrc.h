// SPDX-License-Identifier: Apache-2.0
// The invariant CRC of a RoCE packet (InfiniBand Architecture 7.8.1; Annexes A16 and A17.3.3): CRC32 over eight octets
// of ones, the IP and UDP headers (RoCEv2) or the Global Route Header (RoCE version 1), and the packet. Fields that
// routers change count as ones.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/octets/octets.h"

namespace wirelaw::roce {

// Returns the CRC over the headers and a packet's octets up to the CRC field. Returns nothing if it is not known how
// the headers are covered: IPv4 with options, IPv6 with extension headers, a fragment.
std::optional<std::uint32_t> icrc_of(Octets headers, Octets packet);

}  // namespace wirelaw::roce
