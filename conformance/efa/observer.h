// SPDX-License-Identifier: Apache-2.0
// Judges one flow of EFA RDM packets between two endpoints.
#pragma once

#include <memory>

#include "conformance/protocol.h"

namespace wirelaw::efa {

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits);

// Whether a flow that begins with this message is EFA RDM: a REQ packet with a raw address header (an endpoint that
// knows nothing of its peer has one in each, 2.2) or a HANDSHAKE, of version 4, whole, with no flag that it may not
// have.
bool recognises(const Message& first);
// Whether it may be: a whole packet of a type that is defined.
bool plausible(const Message& first);

}  // namespace wirelaw::efa
