// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: ATOMRSP.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s3_3_atomrsp_rules() {
  return {};
}

void judge_atomrsp(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
