// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.6: CTS.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s3_2_cts_rules() {
  return {};
}

void judge_cts(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
