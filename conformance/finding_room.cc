// SPDX-License-Identifier: Apache-2.0
#include "conformance/finding_room.h"

#include <utility>

namespace wirelaw {

bool FindingRoom::admit(RuleSlot rule, const FindingOrigin& origin) {
  const bool is_first = !std::exchange(kinds_[rule][static_cast<std::size_t>(origin.kind)], true);
  const bool admitted = has_room(rule, origin, is_first);
  kept_ += admitted ? 1 : 0;
  return admitted;
}

bool FindingRoom::has_room(RuleSlot rule, const FindingOrigin& origin, bool is_first) {
  if (kept_ >= limits_.findings) return is_first;
  if (limits_.findings_per_rule_and_flow == JudgeLimits::kUnlimited) return true;
  std::size_t& of_flow = of_flow_[origin.flow << 16 | rule];
  if (of_flow >= limits_.findings_per_rule_and_flow) return is_first;
  return ++of_flow > 0;
}

}  // namespace wirelaw
