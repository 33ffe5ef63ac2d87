// SPDX-License-Identifier: Apache-2.0
// Whether a capture has the frames that a result names.
#pragma once

#include <string>
#include <vector>

#include "reports/peers.h"

namespace wirelaw {

// One line for each frame that the capture does not have, or that does not hold the octets which the result shows of
// it, nor does one of those shortly before, where a long message begins. `has_capture` false: no frame may be named.
std::vector<std::string> frames_that_are_not_there(const std::string& capture, const std::vector<NamedFrame>& named,
                                                   bool has_capture);

}  // namespace wirelaw
