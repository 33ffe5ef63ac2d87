// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.5: runting read messages.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s4_5_rules() {
  return {};
}

void judge_runting_message(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
