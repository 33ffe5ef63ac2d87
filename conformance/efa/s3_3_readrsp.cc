// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: READRSP.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s3_3_readrsp_rules() {
  return {};
}

void judge_readrsp(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
