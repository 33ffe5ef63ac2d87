// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.3: emulated reads.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s3_3_read_rules() {
  return {};
}

void judge_read_request(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
