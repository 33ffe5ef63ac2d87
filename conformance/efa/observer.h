// SPDX-License-Identifier: Apache-2.0
// Judges one flow of EFA RDM packets between two endpoints.
#pragma once

#include <memory>

#include "conformance/protocol.h"

namespace wirelaw::efa {

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits);

// True if a flow that begins with this message is EFA RDM: a complete REQ packet with a raw address header (which every
// REQ to an unknown peer has, 2.2) or a complete HANDSHAKE, of version 4 and without undefined flags.
bool recognises(const Message& first);
// True if the flow may be EFA RDM: the message is a complete packet of a defined type.
bool plausible(const Message& first);

}  // namespace wirelaw::efa
