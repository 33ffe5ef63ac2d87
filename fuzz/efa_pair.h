// SPDX-License-Identifier: Apache-2.0
// Two reference endpoints, joined by a device that doubles and reorders packets as the steps say, with RDMA. Oracles:
// neither breaks a rule; received, read and fetched data equals the data sent; every call ends; both become idle.
// Nothing is lost, as the device loses nothing (1.1).
#pragma once

#include "fuzz/damaged_capture.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// `capture`, if any, gets all packets.
void run_efa_pair(Octets conversation, DamagedCapture* capture = nullptr);

}  // namespace wirelaw::fuzz
