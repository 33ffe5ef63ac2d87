// SPDX-License-Identifier: Apache-2.0
// RAMCloud RPC in scripts: the offsets of all fields, and a conforming client and server.
#pragma once

#include "conformance/script/language.h"

namespace wirelaw::ramcloud {

// The fields of a packet, by the names of the decoder without "ramcloud.", in the order of the wire.
std::vector<script::Located> locate(Octets packet);

extern const script::Language kLanguage;

}  // namespace wirelaw::ramcloud
