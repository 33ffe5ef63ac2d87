// SPDX-License-Identifier: Apache-2.0
// A message of SMB Direct for people.
#pragma once

#include "conformance/protocol.h"
#include "reference/smbd/layout.h"

namespace wirelaw::smbd {

// No field says which message it is, and its place in the connection is not known here: a negotiate message is one by
// its versions, unless all of it reads as a Data Transfer with 256 credits each way.
MessageType type_by_content(Octets octets);

Decoded decode_for_people(Octets octets);

}  // namespace wirelaw::smbd
