// SPDX-License-Identifier: Apache-2.0
// The first octets of Full Operation show if a sender inserts markers; what the start frames agreed does not.
#pragma once

#include "conformance/judge.h"
#include "reference/mpa/fpdu.h"

namespace wirelaw::rdmap {

bool is_zero_marker(Octets octets);
// Returns true if ULPDU_Length and the two control octets after it are those of a DDP segment with an RDMA Message of
// RFC 5040 or of the RDMA Consortium (version 0).
bool looks_like_fpdu(Octets octets);

// The peer has set M, or has not; true where the octets are not as they should be.
bool judge_missing_markers(Judge& judge, Octets octets);
bool judge_unasked_markers(Judge& judge, Octets octets);

}  // namespace wirelaw::rdmap
