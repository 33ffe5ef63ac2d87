// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// What all of them share; matches a response with its request, and keeps a request.
void judge_exchange(Judge& judge, const Seen& seen);
// Whether a datagram holds whole instructions to its end.
void judge_datagram_whole(Judge& judge, bool whole, std::size_t octets_left);

}  // namespace wirelaw::umsp
