// SPDX-License-Identifier: Apache-2.0
// Lets a reference peer speak over SRD until it is told to end: serve.h for a queue pair. The device does the RDMA.
#pragma once

#include <optional>
#include <tl/expected.hpp>

#include "harness/peers/peer.h"
#include "harness/serve.h"
#include "harness/srd/device.h"

namespace wirelaw {

// To be said before anything of the peer's is asked for.
void attach(Peer& peer, const SrdDevice& device, SrdSocket& socket);

// `to` is peer 0, where it is given; others are passed over then. Ends without an error on a signal, when idle, or when
// done, and with one where `to` takes no packets.
tl::expected<void, CarriageError> serve_srd(SrdSocket& socket, Peer& peer, const std::optional<SrdAddress>& to,
                                            const ServeOptions& options);

}  // namespace wirelaw
