// SPDX-License-Identifier: Apache-2.0
// How a rule is known to be able to fail: a deliberate fault of the reference (a deviation) breaks it. The rows of the
// sheets say which (BrokenBy in conformance/rule.h). The tests derive from all of them what has to be reported where.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "conformance/rule.h"
#include "conformance/verdict.h"

namespace wirelaw {

// What a breach needs to be seen.
struct BreachWhere {
  Role who = Role::any;  // in which role the deviating endpoint breaks it
  Severity severity = Severity::violation;
  std::string_view given = {};  // the circumstances that it needs, as the protocol's tests name them
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
// What breaks these rules by the rows of their sheets.
std::vector<Breach> breaches_of(std::span<const Rule* const> rules);

}  // namespace wirelaw
