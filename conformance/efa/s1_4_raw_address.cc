// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 1.4: the raw address of an endpoint.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s1_4_rules() {
  return {};
}

void judge_raw_address(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
