// SPDX-License-Identifier: Apache-2.0
// Two reference endpoints with scripted upper layers, over a stream that the steps cut. Oracles: neither breaks a
// rule; each receives what the other sends; neither touches memory that the other has not granted, which the sanitizers
// detect.
#pragma once

#include "fuzz/damaged_capture.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// `capture`, if any, gets all messages.
void run_rdmap_pair(Octets conversation, DamagedCapture* capture = nullptr);

}  // namespace wirelaw::fuzz
