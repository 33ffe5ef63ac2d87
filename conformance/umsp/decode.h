// SPDX-License-Identifier: Apache-2.0
// Readable instructions of UMSP: one of a stream, or all of a datagram (RFC 3018 3.1).
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::umsp {

Decoded decode_for_people(Octets octets);

}  // namespace wirelaw::umsp
