// SPDX-License-Identifier: Apache-2.0
// What every endpoint of the reference shares. An endpoint does no I/O and reads no clock: octets, calls of
// the upper layer and instants come in; datagrams or a stream, events and the next deadline come out.
#pragma once

#include <chrono>
#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw {

// Time since an origin that the caller chooses. It never runs backwards from one call of an endpoint to the next.
using Instant = std::chrono::nanoseconds;

// A remote address, as the caller numbers them. Opaque to the endpoint.
using PeerId = std::uint64_t;

// How one direction of a stream ends: in order (TCP's FIN), or with the whole connection (its RST).
enum class Ending : std::uint8_t { none, closed, reset };

// One datagram on its way out, or the next octets of a stream and what follows them.
struct Outgoing {
  PeerId to = 0;
  OctetBuffer octets = {};
  Ending ending = Ending::none;
};

}  // namespace wirelaw
