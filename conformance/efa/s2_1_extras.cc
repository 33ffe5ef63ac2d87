// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.1: extra features are used only where the peer has announced them.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s2_1_extras_rules() {
  return {};
}

void judge_extras(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
