// SPDX-License-Identifier: Apache-2.0
// A conversation of an honest endpoint, in either role, with a scripted peer. Oracles: whatever the peer does, the
// endpoint breaks no rule, keeps to its memory limit, and ends the connection when it must.
#pragma once

#include "reference/octets/octets.h"
#include "reference/rdmap/deviations.h"

namespace wirelaw::fuzz {

void converse(Role role, Octets input);

}  // namespace wirelaw::fuzz
