// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.1: what every REQ packet has.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s3_1_rules() {
  return {};
}

void judge_request(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
