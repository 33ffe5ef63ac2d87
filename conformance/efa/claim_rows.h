// SPDX-License-Identifier: Apache-2.0
// The rule that decides each claim of the tracker, and the texts of its findings. Each section has the rows of its
// rules, and one place checks them all.
#pragma once

#include <string_view>

#include "conformance/efa/tracker/claims.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// In the texts, {got}, {due} and {request} are those of the fact.
struct ClaimRow {
  Claim claim;
  const Rule* rule;
  std::string_view due, got, why;
  std::string_view why_served = {};  // if ClaimFact::is_served; empty: `why`
};

void check_claim(Judge& judge, const ClaimFact& fact);

}  // namespace wirelaw::efa
