// SPDX-License-Identifier: Apache-2.0
// How a rule is known to be able to fail: a deliberate fault of the reference (a deviation) breaks it. A breach is
// listed in the file that declares the rule, and the tests derive from all of them what has to be reported where:
//
//   constexpr Breach kBreaches[] = {
//       {Deviation::ack_five_octets, kAckHoldsBothFields},
//       {Deviation::ack_unasked, kServerAcksWhenAsked, {.who = Role::responder, .severity = Severity::warning}}};
#pragma once

#include <span>
#include <string_view>

#include "conformance/rule.h"
#include "conformance/verdict.h"

namespace wirelaw {

struct Breach {
  struct Where {
    Role who = Role::any;  // in which role the deviating endpoint breaks it
    Severity severity = Severity::violation;
    std::string_view given = {};  // the circumstances that it needs, as the protocol's tests name them
  };

  template <class Deviation>
  constexpr Breach(Deviation which, const Rule& what, Where where_ = {})
      : deviation(static_cast<unsigned>(which)), rule(&what), where(where_) {}

  unsigned deviation;  // enumerator of the protocol's Deviation
  const Rule* rule;
  Where where;
};
using BreachList = std::span<const Breach>;

}  // namespace wirelaw
