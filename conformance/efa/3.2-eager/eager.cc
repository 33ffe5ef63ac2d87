// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2, table 3.3: eager messages, with their delivery complete form (4.2). Each is one packet, whose rules
// are those of every REQ packet (3.1) and every message ID (3.2-msg-id).
#include "conformance/efa/3.2-eager/eager.h"

#include "conformance/efa/3.2-longcts/longcts.h"
#include "conformance/efa/4.3-constant-header/constant_header.h"

namespace wirelaw::efa {

void check_eager_message(Judge& judge, const SeenPacket& seen, const MessageFact& fact) {
  if (fact.header) check_constant_header(judge, seen, *fact.header);
  if (fact.send_id) check_send_id(judge, seen, *fact.send_id);
}

}  // namespace wirelaw::efa
