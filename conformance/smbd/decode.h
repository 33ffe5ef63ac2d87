// SPDX-License-Identifier: Apache-2.0
// A message of SMB Direct for people.
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::smbd {

Decoded decode_for_people(Octets octets);

}  // namespace wirelaw::smbd
