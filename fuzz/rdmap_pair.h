// SPDX-License-Identifier: Apache-2.0
// Two reference endpoints, whose upper layers a script plays, over a stream that the script cuts. Oracles:
// neither breaks a rule; what one sends the other receives; nothing of the other's memory is touched that it has not
// granted, which the sanitizers see.
#pragma once

#include "fuzz/damaged_capture.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// `capture`, if there is one, sees what passes.
void run_rdmap_pair(Octets script, DamagedCapture* capture = nullptr);

}  // namespace wirelaw::fuzz
