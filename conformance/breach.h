// SPDX-License-Identifier: Apache-2.0
// Proves that a check can fail: a deliberate fault in the reference (a deviation) breaks its rule. The rows of the rule
// sheets name the deviations (BrokenBy in conformance/rule.h). The tests derive the expected findings from these rows.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "conformance/rule.h"
#include "conformance/verdict.h"

namespace wirelaw {

// The conditions under which a breach is seen.
struct BreachWhere {
  Role who = Role::any;  // the role in which the deviating endpoint breaks the rule
  Severity severity = Severity::violation;
  std::string_view given = {};  // the circumstances that it needs, by their name in the protocol's tests
};

struct Breach {
  using Where = BreachWhere;

  template <class Deviation>
  constexpr Breach(Deviation which, const Rule& what, Where where_ = {})
      : deviation(static_cast<unsigned>(which)), rule(&what), where(where_) {}

  constexpr Breach(unsigned which, const BrokenBy& by, const Rule& what)
      : deviation(which), rule(&what), where{by.who, by.severity, by.given} {}

  unsigned deviation;  // enumerator of the protocol's Deviation
  const Rule* rule;
  Where where;
};
using BreachList = std::span<const Breach>;
// Returns the breaches that the sheet rows of these rules list.
std::vector<Breach> breaches_of(std::span<const Rule* const> rules);

}  // namespace wirelaw
