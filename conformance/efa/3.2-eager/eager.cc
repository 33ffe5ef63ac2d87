// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.3: eager messages, with their delivery complete form (4.2). Each is one packet, whose rules
// are those of every REQ packet (3.1) and every message ID (3.2-msg-id).
#include "conformance/efa/3.2-eager/eager.h"

#include "conformance/efa/3.2-longcts/longcts.h"
#include "conformance/efa/4.3-constant-header/constant_header.h"

namespace wirelaw::efa {

void judge_eager_message(Judge& judge, const SeenPacket& seen, TraceState& state) {
  judge_constant_header(judge, seen, state);
  if (!seen.layout.delivery_complete) return;
  if (seen.doubled && state.exchanges().by_msg_id(seen.sender(), seen.packet.msg_id) != nullptr)
    return;  // judge_msg_id() has reported it
  judge_send_id(judge, seen, state);
  state.begin(seen);
}

}  // namespace wirelaw::efa
