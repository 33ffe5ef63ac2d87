// SPDX-License-Identifier: Apache-2.0
// Types shared by all endpoints of the reference. An endpoint does no I/O and reads no clock. Its input is octets,
// calls of the upper layer and instants. Its output is datagrams or a stream, events and the next deadline.
#pragma once

#include <chrono>
#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw {

// Time since an origin that the caller chooses. It never runs backwards from one call of an endpoint to the next.
using Instant = std::chrono::nanoseconds;

// A remote address, as numbered by the caller. Opaque to the endpoint.
using PeerId = std::uint64_t;

// The end of one direction of a stream: in order (FIN), or with the whole connection (RST).
enum class Ending : std::uint8_t { none, closed, reset };

// One datagram to be sent, or the next octets of a stream and the event after them.
struct Outgoing {
  PeerId to = 0;
  OctetBuffer octets = {};
  Ending ending = Ending::none;
};

}  // namespace wirelaw
