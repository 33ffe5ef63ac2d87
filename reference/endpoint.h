// SPDX-License-Identifier: Apache-2.0
// What every sans-I/O endpoint shares: how time, peers and outgoing datagrams are named.
#pragma once

#include <chrono>
#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw {

// Time since an origin that the caller chooses. An endpoint never reads a clock.
using Instant = std::chrono::nanoseconds;

// A remote address, as the caller numbers them.
using PeerId = std::uint64_t;

struct Outgoing {
  PeerId to = 0;
  OctetBuffer octets;
};

}  // namespace wirelaw
