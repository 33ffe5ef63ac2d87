// SPDX-License-Identifier: Apache-2.0
// Recognises the start of MPA in a TCP stream.
#pragma once

#include "conformance/protocol.h"

namespace wirelaw::rdmap {

// The offset at which an MPA Request Frame begins in these octets (RFC 5044, 7.1.1); Protocol::kNotHere if there is
// none.
std::size_t begins_in(Octets octets);

// Decides if a key begins an MPA start frame. A key that follows other octets does if its flags, revision and length
// are right for a Request, and the other side answers with a Reply (7.1.2). A key in the first octets of a side does if
// two of these three fields are right, either in its own frame or in the other side's (RDMAP/A-75).
Plausible confirms(Octets from_key, Octets answer, bool is_first);

}  // namespace wirelaw::rdmap
