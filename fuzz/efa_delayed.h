// SPDX-License-Identifier: Apache-2.0
// Two honest EFA RDM endpoints with long delays between them, so that packets overtake each other
// (fuzz/delayed_capture.h).
#pragma once

#include "corpora/formats/efa_steps.h"
#include "fuzz/delayed_capture.h"

namespace wirelaw::fuzz {

struct EfaDelayed {
  Path path;
  std::uint64_t skipped = 0;  // packets that the capture lacks at its beginning
  corpora::EfaSettings settings{};
  Octets steps;  // each octet is a pause and a call: bits 0 to 3 the pause, 4 to 6 the kind, 7 who calls
};

DelayedOutcome run_efa_delayed(const EfaDelayed& conversation);

}  // namespace wirelaw::fuzz
