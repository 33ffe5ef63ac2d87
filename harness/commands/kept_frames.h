// SPDX-License-Identifier: Apache-2.0
// Checks if a capture has the frames that a result names.
#pragma once

#include <string>
#include <vector>

#include "reports/peers.h"

namespace wirelaw {

// Returns one line for each frame that the capture lacks, or that does not contain the octets which the result shows.
// The octets may also be in a frame shortly before, in which a long message begins. If `has_capture` is false, no frame
// may be named.
std::vector<std::string> frames_that_are_not_there(const std::string& capture, const std::vector<NamedFrame>& named,
                                                   bool has_capture);

}  // namespace wirelaw
