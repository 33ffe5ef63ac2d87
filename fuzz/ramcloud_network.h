// SPDX-License-Identifier: Apache-2.0
// The reference client and the reference server, joined by a network that loses, duplicates and reorders packets as a
// the steps say. Oracles: neither breaks a rule; a request is executed at most once; a result belongs to its own call;
// both become idle.
#pragma once

#include "fuzz/damaged_capture.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// `capture`, if any, gets all packets.
void run_ramcloud_network(Octets conversation, DamagedCapture* capture = nullptr);

}  // namespace wirelaw::fuzz
