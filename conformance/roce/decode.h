// SPDX-License-Identifier: Apache-2.0
// A RoCEv2 packet for people.
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::roce {

Decoded decode_for_people(Octets octets);

}  // namespace wirelaw::roce
