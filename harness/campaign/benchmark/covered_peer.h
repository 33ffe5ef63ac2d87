// SPDX-License-Identifier: Apache-2.0
// A reference peer in memory whose code is instrumented, as that of a live IUT may be. The tester runs parts of the
// same code, in the same process, so only code that runs within the peer's calls is counted.
#pragma once

#include <cstdint>
#include <span>

#include "harness/peers/peer.h"

namespace wirelaw::campaign {

// Sets where edges are counted; empty: nowhere.
void count_into(std::span<std::uint8_t> counters);

MakePeer covered(MakePeer make_peer);

}  // namespace wirelaw::campaign
