// SPDX-License-Identifier: Apache-2.0
// Prints RAMCloud RPC packets.
#pragma once

#include <string>

#include "conformance/protocol.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

std::string to_string(PayloadType type);  // "DATA", …, "reserved 7"
Decoded decode_for_people(Octets octets);

}  // namespace wirelaw::ramcloud
