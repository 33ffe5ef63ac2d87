// SPDX-License-Identifier: Apache-2.0
// Decides which rules a certification requires of an implementation, given its declaration.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "harness/certify/declaration.h"

namespace wirelaw {

enum class Demand : std::uint8_t {
  mandatory,       // mandatory for every IUT in this role
  conditional,     // mandatory too, since a feature is declared
  recommended,     // a SHOULD
  optional,        // a MAY
  supporting,      // from a protocol below: judged if it is exercised, and not counted
  incidental,      // visible in the traffic, but no case of this role causes it: likewise
  not_testable,    // needs a stimulus that no case of this role has; `why` says if cases of the other role have it
  not_applicable,  // for the reason in `why`
};

struct Asked {
  Demand demand = Demand::mandatory;
  std::string why;  // the feature, or why it does not count

  // True if it counts for the coverage that a profile demands.
  bool counts() const { return demand == Demand::mandatory || demand == Demand::conditional; }
};

// `owner` is the declared protocol, or one below it, and has the rule.
Asked asked_of(const Rule& rule, const Protocol& owner, const Declaration& declared, Role tested);

std::string_view to_string(Demand demand);  // "mandatory", "not-applicable", …

}  // namespace wirelaw
