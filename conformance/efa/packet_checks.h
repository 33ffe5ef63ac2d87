// SPDX-License-Identifier: Apache-2.0
// Forms of judge.require() and judge.advise().
#pragma once

#include "conformance/efa/tracker/document.h"
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

// A breach fails the rule if it is `due`, and is a warning otherwise.
template <class E, class A, class W = std::string_view>
bool judge_due(Judge& judge, bool due, const Rule& rule, bool holds, OctetRange where, const Expected<E>& e,
               const Actual<A>& a, const W& why = {}) {
  return due ? judge.require(rule, holds, where, e, a, why) : judge.advise(rule, holds, where, e, a, why);
}

// A rule that the documents from `lifted` on no longer contain. A breach fails an endpoint that cannot follow those
// documents, and is a warning for one that may.
template <class E, class A, class W>
bool require_before(Revision lifted, Revisions document, Judge& judge, const Rule& rule, bool holds, OctetRange where,
                    const Expected<E>& e, const Actual<A>& a, const W& why) {
  if (document.has(lifted)) return true;
  if (!document.may_have(lifted)) return judge.require(rule, holds, where, e, a, why);
  return judge.advise(rule, holds, where, e, a, [&] {
    return fmt::format(
        "{}; the document of {} allows it, and nothing shows which one this endpoint follows: say it "
        "by --revision",
        say(why), describe(lifted).name);
  });
}

// The packet has kept the rules.
template <class... Rules>
void keeps(Judge& judge, const Rules&... rules) {
  (judge.require(rules, true, {}, expected(""), actual("")), ...);
}

}  // namespace wirelaw::efa
