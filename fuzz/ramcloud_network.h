// SPDX-License-Identifier: Apache-2.0
// The reference client and the reference server, joined by a network that loses, duplicates and reorders packets as a
// script says. Oracles: neither breaks a rule, a request is executed at most once, a result is the answer to its own
// call, and everything comes to rest.
#pragma once

#include "fuzz/damaged_capture.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// `capture`, if there is one, sees what passes.
void run_ramcloud_network(Octets script, DamagedCapture* capture = nullptr);

}  // namespace wirelaw::fuzz
