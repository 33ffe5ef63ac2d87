// SPDX-License-Identifier: Apache-2.0
// Rules that bind the role that was not tested are not applicable: they had no chance to fail.
#pragma once

#include <fmt/format.h>

#include <span>

#include "conformance/protocol.h"
#include "conformance/verdict.h"

namespace wirelaw {

// `results` may contain rules of other protocols.
inline void exclude_other_role(std::span<RuleResult> results, const Protocol& protocol, Role tested) {
  for (const Rule* rule : protocol.catalogue().rules()) {
    if (rule->subject == Role::any || rule->subject == tested) continue;
    for (RuleResult& result : results) {
      if (result.rule != rule || result.verdict != Verdict::not_exercised) continue;
      result.verdict = Verdict::not_applicable;
      result.reason = fmt::format("binds the {}, and the {} was tested",
                                  rule->subject == Role::initiator ? protocol.initiator : protocol.responder,
                                  tested == Role::initiator ? protocol.initiator : protocol.responder);
    }
  }
}

// Returns the role that was tested: the one whose own rules were exercised, if those of the other role were not.
inline Role tested_role(std::span<const RuleResult> results, const Protocol& protocol) {
  bool tested[3] = {};
  for (const Rule* rule : protocol.catalogue().rules())
    for (const RuleResult& result : results)
      if (result.rule == rule && result.exercised + result.inconclusive > 0)
        tested[static_cast<std::size_t>(rule->subject)] = true;
  const bool initiator = tested[static_cast<std::size_t>(Role::initiator)];
  const bool responder = tested[static_cast<std::size_t>(Role::responder)];
  return initiator == responder ? Role::any : initiator ? Role::initiator : Role::responder;
}

}  // namespace wirelaw
