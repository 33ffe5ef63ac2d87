// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.3: the constant header length.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s4_3_rules() {
  return {};
}

void judge_constant_header(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
