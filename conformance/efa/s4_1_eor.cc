// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.1: EOR.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s4_1_eor_rules() {
  return {};
}

void judge_eor(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
