// SPDX-License-Identifier: Apache-2.0
// Rules that bind the role that was not tested are not applicable: they had no chance to fail.
#pragma once

#include <fmt/format.h>

#include <span>
#include <vector>

#include "conformance/protocol.h"
#include "conformance/verdict.h"

namespace wirelaw {

// The rules that a protocol lists, found by their slots.
class OwnRules {
 public:
  explicit OwnRules(const Catalogue& catalogue) : is_own_(catalogue.slots()) {
    for (const Rule* rule : catalogue.rules()) is_own_[rule->slot] = true;
  }
  bool contain(const Rule& rule) const { return rule.slot < is_own_.size() && is_own_[rule.slot]; }

 private:
  std::vector<bool> is_own_;
};

// `results` may contain rules of other protocols.
inline void exclude_other_role(std::span<RuleResult> results, const Protocol& protocol, Role tested) {
  const OwnRules own(protocol.catalogue());
  const bool is_initiator = tested == Role::initiator;
  for (RuleResult& result : results) {
    const Role subject = result.rule->subject;
    if (includes(subject, tested) || result.verdict != Verdict::not_exercised) continue;
    if (!own.contain(*result.rule)) continue;
    result.verdict = Verdict::not_applicable;
    result.reason = fmt::format("binds the {}, and the {} was tested",
                                subject == Role::initiator ? protocol.initiator : protocol.responder,
                                is_initiator ? protocol.initiator : protocol.responder);
  }
}

// Returns the role that was tested: the one whose own rules were exercised, if those of the other role were not.
inline Role tested_role(std::span<const RuleResult> results, const Protocol& protocol) {
  const OwnRules own(protocol.catalogue());
  bool tested[3] = {};
  for (const RuleResult& result : results)
    if (result.exercised + result.inconclusive > 0 && own.contain(*result.rule))
      tested[static_cast<std::size_t>(result.rule->subject)] = true;
  const bool initiator = tested[static_cast<std::size_t>(Role::initiator)];
  const bool responder = tested[static_cast<std::size_t>(Role::responder)];
  return initiator == responder ? Role::any : initiator ? Role::initiator : Role::responder;
}

}  // namespace wirelaw
