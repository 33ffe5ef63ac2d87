// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_msg_id(Judge& judge, const SeenPacket& seen, std::optional<bool> is_new);
// Checks a message ID that was used again, if nothing has shown that the two endpoints have met again (EFA/A-87).
void check_meeting_again(Judge& judge, const MeetingAgainFact& unproven);

}  // namespace wirelaw::efa
