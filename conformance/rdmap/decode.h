// SPDX-License-Identifier: Apache-2.0
// Start frames and FPDUs for people, in the words of Wireshark's dissectors (iwarp_mpa, iwarp_ddp_rdmap).
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::rdmap {

// A start frame, or an FPDU without its markers.
Decoded decode_for_people(Octets octets);

}  // namespace wirelaw::rdmap
