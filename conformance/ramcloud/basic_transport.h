// SPDX-License-Identifier: Apache-2.0
// BasicTransport, which replaced the protocol judged here in later versions of RAMCloud. It shares neither header nor
// rules with it, and has no fixed port either.
#pragma once

#include "reference/octets/octets.h"

namespace wirelaw::ramcloud {

// True if the octets are one packet of BasicTransport: opcode, flags and every length agree.
bool is_basic_transport(Octets octets);

}  // namespace wirelaw::ramcloud
