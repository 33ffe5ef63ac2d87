// SPDX-License-Identifier: Apache-2.0
// Runs a reference peer over UDP until it is ended.
#pragma once

#include <tl/expected.hpp>

#include "harness/transports/service.h"
#include "harness/transports/udp/udp_socket.h"

namespace wirelaw {

// A connected socket makes the other end peer 0. Where WIRELAW_CONTROL is set, the application above the peer can be
// driven through it (harness/control/channel.h), and it ends with that at the earliest. Ends without an error on a
// signal, when idle, or when done.
tl::expected<void, TransportError> serve(UdpSocket& socket, Peer& peer, const ServeOptions& options);

}  // namespace wirelaw
