// SPDX-License-Identifier: Apache-2.0
// Lets a reference peer speak over UDP until it is told to end.
#pragma once

#include <chrono>
#include <optional>
#include <tl/expected.hpp>

#include "harness/peers/peer.h"
#include "harness/sockets/udp_socket.h"

namespace wirelaw {

struct ServeOptions {
  std::optional<std::chrono::nanoseconds> idle = {};  // ends after so long without hearing anything
  bool until_done = false;                            // ends once the peer has nothing under way
  std::size_t connections = 1024;                     // at once; of streams
};

// A connected socket makes the other end peer 0. Where WIRELAW_CONTROL is set, the application above the peer can be
// driven through it (harness/control/channel.h), and it ends with that at the earliest. Ends without an error on a
// signal, when idle, or when done.
tl::expected<void, CarriageError> serve(UdpSocket& socket, Peer& peer, const ServeOptions& options);

}  // namespace wirelaw
