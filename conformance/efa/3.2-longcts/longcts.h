// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_longcts_message(Judge& judge, const SeenPacket& seen, const MessageFact& fact);
// Checks the send_id in the first packet of a message.
void check_send_id(Judge& judge, const SeenPacket& seen, const IdFact& fact);

}  // namespace wirelaw::efa
