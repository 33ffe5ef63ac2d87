// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Judges the rules that all exchange instructions share, matches responses with requests, and keeps requests.
void judge_exchange(Judge& judge, const Seen& seen);
// Judges whether the last instruction of a datagram is complete. `octets_left` is what remains after the complete ones.
void judge_datagram_whole(Judge& judge, bool whole, std::size_t octets_left);

}  // namespace wirelaw::umsp
