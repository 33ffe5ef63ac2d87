// SPDX-License-Identifier: Apache-2.0
// Two devices of this machine, or one twice. Our consumers are at both ends of each connection, and the wire between
// the devices is not observed. verbs://HOST:PORT?far=HOST2[&device=NAME][&far_device=NAME]: HOST is an address of the
// device under test, HOST2 one of the device at the far end; the one that plays the responder listens at PORT.
#pragma once

#include "harness/transports/verbs/iut.h"
#include "harness/transports/verbs/session.h"

namespace wirelaw::verbs {

// Makes the IUT for a URI with `far`.
tl::expected<std::unique_ptr<Iut>, TransportError> make_pair(const Uri& at, Role iut);

}  // namespace wirelaw::verbs
