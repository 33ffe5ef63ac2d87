// SPDX-License-Identifier: Apache-2.0
// Decodes a RoCEv2 packet as text.
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::roce {

Decoded decode_for_people(Octets octets);

}  // namespace wirelaw::roce
