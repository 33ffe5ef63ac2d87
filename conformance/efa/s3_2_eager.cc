// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: eager messages.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s3_2_eager_rules() {
  return {};
}

void judge_eager_message(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
