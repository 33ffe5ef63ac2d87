// SPDX-License-Identifier: Apache-2.0
// BasicTransport, which later versions of RAMCloud put in the place of the protocol that is judged here: it shares
// neither header nor rules with it, and its ports are as free.
#pragma once

#include "reference/octets/octets.h"

namespace wirelaw::ramcloud {

// True if the octets are one packet of BasicTransport: opcode, flags and every length agree.
bool is_basic_transport(Octets octets);

}  // namespace wirelaw::ramcloud
