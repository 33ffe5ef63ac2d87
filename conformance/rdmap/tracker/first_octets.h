// SPDX-License-Identifier: Apache-2.0
// The first octets of Full Operation show if a sender inserts markers; the start frames show only what was agreed.
#pragma once

#include "reference/mpa/fpdu.h"

namespace wirelaw::rdmap {

inline constexpr std::size_t kFirstOctets = mpa::kMarkerOctets + mpa::kLengthOctets + 2;  // octets needed to decide

bool is_zero_marker(Octets octets);
// Returns true if ULPDU_Length and the two control octets after it are those of a DDP segment with an RDMA Message of
// RFC 5040 or of the RDMA Consortium (version 0).
bool looks_like_fpdu(Octets octets);
// Returns true if the octets begin with a marker; returns `is_asked_for` if they do not show it.
bool begins_with_marker(Octets octets, bool is_asked_for);

}  // namespace wirelaw::rdmap
