// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "conformance/judge.h"

namespace wirelaw::efa {

// At the end of a flow: something missing breaks the rule if it is `due` (EFA/A-85), and is a warning otherwise.
template <class E, class A, class W = std::string_view>
bool judge_due(Judge& judge, bool due, const Rule& rule, bool holds, OctetRange where, const Expected<E>& e,
               const Actual<A>& a, const W& why = {}) {
  return due ? judge.require(rule, holds, where, e, a, why) : judge.advise(rule, holds, where, e, a, why);
}

}  // namespace wirelaw::efa
