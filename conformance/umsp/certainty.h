// SPDX-License-Identifier: Apache-2.0
// Rules that are broken by something absent, or by the order of two instructions. Another connection of the two nodes
// may explain either, so what was seen of all connections decides between a breach and a warning (UMSP/B31).
#pragma once

#include "conformance/judge.h"

namespace wirelaw::umsp {

// A breach of the rule is certain, or it is only a warning.
template <class... Evidence>
bool require_if(Judge& judge, bool is_certain, const Rule& rule, bool holds, const Evidence&... evidence) {
  return is_certain ? judge.require(rule, holds, evidence...) : judge.advise(rule, holds, evidence...);
}

}  // namespace wirelaw::umsp
