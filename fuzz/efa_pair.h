// SPDX-License-Identifier: Apache-2.0
// Two reference endpoints, joined by a device that a script makes double and reorder packets, with RDMA. Oracles:
// neither breaks a rule, what is received, read or fetched is what was sent, every call ends, and everything comes to
// rest. Nothing is lost, as the device loses nothing (1.1).
#pragma once

#include "fuzz/damaged_capture.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// `capture`, if there is one, sees what passes.
void run_efa_pair(Octets script, DamagedCapture* capture = nullptr);

}  // namespace wirelaw::fuzz
