// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: message IDs of RTM and RTA packets.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s3_2_msg_id_rules() {
  return {};
}

void judge_msg_id(Judge&, const SeenPacket&, Conversation&) {}

}  // namespace wirelaw::efa
