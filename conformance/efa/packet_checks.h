// SPDX-License-Identifier: Apache-2.0
// Checks of the fields of a packet.
#pragma once

#include <string_view>

#include "conformance/efa/tracker/seen.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// judge.require() and judge.advise() about a field, which is located only if the rule does not hold.
template <class E, class A, class W = std::string_view>
[[gnu::always_inline]] inline bool require(Judge& judge, const Rule& rule, bool holds, const SeenPacket& seen,
                                           Field field, const Expected<E>& e, const Actual<A>& a, const W& why = {}) {
  return judge.require(rule, holds, holds ? OctetRange{} : seen.at(field), e, a, why);
}
// Same, for a check with other evidence than the rule's other checks.
template <class E, class A, class W>
[[gnu::always_inline]] inline bool require(Judge& judge, const Rule& rule, bool holds, const SeenPacket& seen,
                                           Field field, const Expected<E>& e, const Actual<A>& a, const W& why,
                                           Evidence evidence) {
  return judge.require(rule, holds, holds ? OctetRange{} : seen.at(field), e, a, why, evidence);
}
template <class E, class A, class W = std::string_view>
[[gnu::always_inline]] inline bool advise(Judge& judge, const Rule& rule, bool holds, const SeenPacket& seen,
                                          Field field, const Expected<E>& e, const Actual<A>& a, const W& why = {}) {
  return judge.advise(rule, holds, holds ? OctetRange{} : seen.at(field), e, a, why);
}

}  // namespace wirelaw::efa
