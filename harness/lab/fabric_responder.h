// SPDX-License-Identifier: Apache-2.0
// fabric_peer as a responder: offers memory, receives whatever comes, checks it, and answers a fabric_peer that asks.
#pragma once

#include <csignal>
#include <cstdint>
#include <vector>

#include "harness/lab/fabric_endpoint.h"

namespace wirelaw::lab {

// Prints the ready line, and a line for each message. Returns when a peer says bye, when `stopped`, or on an error.
Result<> respond(FabricEndpoint& endpoint, const volatile std::sig_atomic_t& stopped);

}  // namespace wirelaw::lab
