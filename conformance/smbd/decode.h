// SPDX-License-Identifier: Apache-2.0
// Prints a message of SMB Direct.
#pragma once

#include "conformance/protocol.h"
#include "reference/smbd/layout.h"

namespace wirelaw::smbd {

// No field gives the type of the message, and its place in the connection is unknown here. A negotiate message is
// recognised by its versions, unless it is also a complete Data Transfer with 256 credits each way.
MessageType type_by_content(Octets octets);

Decoded decode_for_people(Octets octets);

}  // namespace wirelaw::smbd
