// SPDX-License-Identifier: Apache-2.0
// Follows the buffers of chains until they are complete, and the windows (RFC 3018 7.4).
#pragma once

#include "conformance/umsp/tracker/chain_facts.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Called for the first instruction of a chain.
std::optional<GrantFact> follow_buffer_begin(const Seen& seen, SessionHalf& half, ObservedChain& chain);
// Called for each instruction of a chain.
std::optional<WindowFact> follow_window(const Seen& seen, ObservedChain& chain);
// Called for the last instruction of a chain.
std::optional<BufferSizeFact> follow_buffer_end(const Seen& seen, const ObservedChain& chain);
// Tracks REQ_BUF and its answers. Returns true if the instruction is such an answer.
bool follow_buffers(const Seen& seen, ObservedSession& session);

}  // namespace wirelaw::umsp
