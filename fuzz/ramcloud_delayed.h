// SPDX-License-Identifier: Apache-2.0
// An honest RAMCloud RPC client and server with long delays between them. The network loses and reorders packets
// (fuzz/delayed_capture.h). The client is patient: it retransmits until the response arrives.
#pragma once

#include "corpora/formats/ramcloud_steps.h"
#include "fuzz/delayed_capture.h"

namespace wirelaw::fuzz {

struct RamcloudDelayed {
  Path path;
  std::uint64_t skipped = 0;  // packets that the capture lacks at its beginning
  corpora::Settings settings{};
  Octets steps;  // each octet is a pause and a call: bits 0 to 3 the pause, the others the length of the request
};

DelayedOutcome run_ramcloud_delayed(const RamcloudDelayed& conversation);

}  // namespace wirelaw::fuzz
