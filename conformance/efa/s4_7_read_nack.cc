// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.7: READ_NACK.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s4_7_rules() {
  return {};
}

void judge_read_nack(Judge&, const SeenPacket&, Conversation&) {}

bool follows_read_nack(const SeenPacket&, Conversation&) {
  return false;
}

bool judge_refused_message(Judge&, const SeenPacket&, Conversation&) {
  return false;
}

}  // namespace wirelaw::efa
