// SPDX-License-Identifier: Apache-2.0
// Two honest RDMAP endpoints with long delays between them (fuzz/delayed_capture.h). Their upper layers use only the
// buffers and receives that they have granted each other.
#pragma once

#include "fuzz/delayed_capture.h"

namespace wirelaw::fuzz {

struct RdmapDelayed {
  Path path;
  std::uint64_t skipped = 0;  // segments that the capture lacks at its beginning
  Octets settings;            // corpora/formats/rdmap_steps.h, kRdmapSettings octets
  Octets steps;  // each octet is a pause and an operation: bits 0 to 3 the pause, 4 to 6 the operation, 7 whose
};

DelayedOutcome run_rdmap_delayed(const RdmapDelayed& conversation);

}  // namespace wirelaw::fuzz
