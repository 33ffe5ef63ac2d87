// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.3: eager messages, with their delivery complete form (4.2). One packet is all there is of
// them; what it must be is said of every REQ packet (3.1) and every message ID (s3_2_msg_id.cc).
#include "conformance/efa/rules.h"

namespace wirelaw::efa {

constinit const Rule kEagerIsWholeMessage{
    "EFA-3.2-20",
    Level::must,
    Role::initiator,
    "EFA RDM v4 3.2, Eager message",
    Observable::api,
    "An eager packet carries the whole of the application's message.",
    "The packet does not say how long the message is: only the application that sent it knows"};

RuleList s3_2_eager_rules() {
  static constexpr const Rule* kRules[] = {&kEagerIsWholeMessage};
  return kRules;
}

void judge_eager_message(Judge& judge, const SeenPacket& seen, Conversation& conversation) {
  judge_constant_header(judge, seen, conversation);
  if (!seen.layout.delivery_complete) return;
  if (seen.doubled && conversation.exchanges().by_msg_id(seen.sender(), seen.packet.msg_id) != nullptr)
    return;  // judge_msg_id() has told of it
  judge_send_id(judge, seen, conversation);
  conversation.begin(seen);
}

}  // namespace wirelaw::efa
