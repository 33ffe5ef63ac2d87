// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.7: READ_NACK.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s4_7_rules() {
  return {};
}

void judge_read_nack(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
