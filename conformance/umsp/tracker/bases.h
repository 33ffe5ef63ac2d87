// SPDX-License-Identifier: Apache-2.0
// Follows the bases of chains (RFC 3018 7.6).
#pragma once

#include "conformance/umsp/tracker/chain_facts.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Called for each instruction of a chain. `ends`: it is the last one.
BaseFact follow_base(const Seen& seen, ObservedChain& chain, bool ends);

}  // namespace wirelaw::umsp
