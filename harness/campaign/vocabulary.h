// SPDX-License-Identifier: Apache-2.0
// The messages that a campaign can insert into the conversation of any case.
#pragma once

#include <vector>

#include "conformance/protocol.h"
#include "reference/octets/octets.h"

namespace wirelaw::campaign {

// Each message that scripts of this protocol can name, as either honest side sends it after the greetings. Empty if
// scripts cannot speak the protocol.
std::vector<OctetBuffer> vocabulary_of(const Protocol& protocol);

}  // namespace wirelaw::campaign
