// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.4: the connection ID in packet headers.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s4_4_rules() {
  return {};
}

void judge_connid(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
