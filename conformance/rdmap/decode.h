// SPDX-License-Identifier: Apache-2.0
// Prints start frames and FPDUs with the field names of Wireshark's dissectors (iwarp_mpa, iwarp_ddp_rdmap).
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::rdmap {

// Decodes a start frame, or an FPDU without its markers.
Decoded decode_for_people(Octets octets);

}  // namespace wirelaw::rdmap
