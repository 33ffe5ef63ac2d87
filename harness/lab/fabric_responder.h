// SPDX-License-Identifier: Apache-2.0
// fabric_peer as a responder: exposes memory, receives and checks all messages, answers as its application does
// (conformance/case.h), and reports what has arrived to a fabric_peer that asks.
#pragma once

#include <csignal>
#include <cstdint>
#include <vector>

#include "conformance/case.h"
#include "harness/lab/fabric_endpoint.h"

namespace wirelaw::lab {

// Prints the ready line, and a line for each message. Returns when a peer sends bye, when `stopped`, or on an error.
//
// `echo` and `count` answer a message with a message with the same octets, tag and CQ data, and a write with CQ data
// with an empty message with the same CQ data. `none` answers nothing.
Result<> respond(FabricEndpoint& endpoint, Service application, const volatile std::sig_atomic_t& stopped);

}  // namespace wirelaw::lab
