// SPDX-License-Identifier: Apache-2.0
// The rule that decides each claim of the tracker, and the texts of its findings. Each section has the rows of its
// rules, and one place checks them all.
#pragma once

#include <optional>

#include "conformance/judge.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// In the texts, {} is Fact::due or, in `got`, Fact::got.
struct ClaimRow {
  Claim claim;
  const Rule* rule;
  std::string_view due, got;
  std::string_view why = {};
  std::optional<Evidence> evidence = {};            // empty: that of the rule
  const Rule* (*rule_of)(Opcode opcode) = nullptr;  // if the rule depends on the instruction
  std::string_view no_due = {};                     // if Fact::due is 0
};

void check_claim(Judge& judge, const Fact& fact);
// Checks the claims of this range that were stated before the tracker followed the instruction.
void check_claims_before(Judge& judge, const SeenInstruction& seen, Claim first, Claim last);

}  // namespace wirelaw::umsp
