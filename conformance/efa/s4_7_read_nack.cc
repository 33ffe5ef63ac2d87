// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 4.7: READ_NACK.
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

RuleList s4_7_rules() {
  return {};
}

void judge_read_nack(Judge&, const SeenPacket&, Conversation&) {}

bool judge_continuation(Judge&, const SeenPacket& seen, Conversation&, Exchange* known) {
  if (known == nullptr || known->nacks == 0 || known->continued) return false;
  known->continued = true;
  known->delivery_complete = seen.layout.delivery_complete;
  known->length = seen.packet.msg_length;
  known->granted = known->in_request = known->data.octets();
  known->latest = seen.mark();
  return true;
}

}  // namespace wirelaw::efa
