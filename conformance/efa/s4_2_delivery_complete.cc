// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.2: delivery complete.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s4_2_rules() {
  return {};
}

void judge_receipt(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
