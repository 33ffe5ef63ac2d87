// SPDX-License-Identifier: Apache-2.0
// Judges one UDP flow of RAMCloud RPC.
#pragma once

#include <memory>

#include "conformance/protocol.h"

namespace wirelaw::ramcloud {

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits);

// True if a flow that begins with this message is RAMCloud RPC: an open request that is exactly one header, with
// payload type 2, no direction flag, and idle values in the fields that an open request does not use.
bool recognises(const Message& first);
// True if the flow may be RAMCloud RPC: the message has a complete header of an assigned type.
bool plausible(const Message& first);

}  // namespace wirelaw::ramcloud
