// SPDX-License-Identifier: Apache-2.0
// An instruction of UMSP for people.
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::umsp {

Decoded decode_for_people(Octets octets);

}  // namespace wirelaw::umsp
