// SPDX-License-Identifier: Apache-2.0
// Two honest SMB Direct endpoints with long delays between them, and a capture on the path (fuzz/delayed_network.h).
// The capture is judged as complete: no rule at MUST level may fail.
#pragma once

#include "fuzz/delayed_capture.h"
#include "fuzz/delayed_network.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

struct DelayedConversation {
  Path path;
  std::uint64_t skipped = 0;  // packets that the capture lacks at its beginning
  bool over_roce = false;
  Octets settings;  // corpora/formats/smbd_steps.h, kSmbdSettings octets
  Octets steps;     // each octet gives a pause, the next sender, and the length
};

DelayedOutcome run_smbd_delayed(const DelayedConversation& conversation);

}  // namespace wirelaw::fuzz
