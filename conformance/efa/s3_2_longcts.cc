// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: LONGCTS_RTM.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s3_2_longcts_rules() {
  return {};
}

void judge_longcts_message(Judge&, const SeenPacket&, Conversation&) {}

void finish_messages(Judge&, Conversation&) {}

}  // namespace wirelaw::efa
