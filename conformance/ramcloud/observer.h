// SPDX-License-Identifier: Apache-2.0
// Judges one UDP flow of RAMCloud RPC.
#pragma once

#include <memory>

#include "conformance/protocol.h"

namespace wirelaw::ramcloud {

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits);

// Whether a flow that begins with this message is RAMCloud RPC: a session open request of exactly a header, with
// payload type 2, no direction flag, and the fields that an open request does not use at their idle values.
bool recognises(const Message& first);
// Whether it may be: a whole header of a type that is assigned.
bool plausible(const Message& first);

}  // namespace wirelaw::ramcloud
