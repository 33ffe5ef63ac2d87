// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/exchanges.h"

namespace wirelaw::umsp {

// Checks the rules that all exchange instructions share, and what a response answers.
void check_exchange(Judge& judge, const SeenInstruction& seen, const ExchangeFact& fact);
// Judges whether the last instruction of a datagram is complete. `octets_left` is what remains after the complete ones.
void judge_datagram_whole(Judge& judge, bool whole, std::size_t octets_left);

}  // namespace wirelaw::umsp
