// SPDX-License-Identifier: Apache-2.0
// Checks of the fields of a packet.
#pragma once

#include "conformance/efa/tracker/seen.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// judge.require() and judge.advise() about a field, which is located only if the rule does not hold. `rest`: why, and
// the evidence of a check whose evidence differs from that of the rule's other checks.
template <class E, class A, class... Rest>
[[gnu::always_inline]] inline bool require(Judge& judge, const Rule& rule, bool holds, const SeenPacket& seen,
                                           Field field, const Expected<E>& e, const Actual<A>& a, const Rest&... rest) {
  return judge.require(rule, holds, holds ? OctetRange{} : seen.at(field), e, a, rest...);
}
template <class E, class A, class... Rest>
[[gnu::always_inline]] inline bool advise(Judge& judge, const Rule& rule, bool holds, const SeenPacket& seen,
                                          Field field, const Expected<E>& e, const Actual<A>& a, const Rest&... rest) {
  return judge.advise(rule, holds, holds ? OctetRange{} : seen.at(field), e, a, rest...);
}

}  // namespace wirelaw::efa
