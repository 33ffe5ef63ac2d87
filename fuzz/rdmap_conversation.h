// SPDX-License-Identifier: Apache-2.0
// A conversation of an honest endpoint, in either role, with a peer that a script plays. Oracles: the endpoint breaks
// no rule whatever the peer does, keeps to its memory, and ends what it has to end.
#pragma once

#include "reference/octets/octets.h"
#include "reference/rdmap/deviations.h"

namespace wirelaw::fuzz {

void converse(rdmap::Role role, Octets input);

}  // namespace wirelaw::fuzz
