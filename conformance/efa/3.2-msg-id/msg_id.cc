// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 3.2: message IDs of RTM and RTA packets, each side's for itself.
#include "conformance/efa/3.2-msg-id/msg_id.h"

#include "conformance/efa/2.1-handshake/handshake.h"
#include "conformance/efa/3.2-msg-id/rules.h"
#include "conformance/efa/packet_checks.h"

namespace wirelaw::efa {

void check_msg_id(Judge& judge, const SeenPacket& seen, std::optional<bool> is_new) {
  if (!is_new) return;
  const auto want = expected("an ID that no message has");
  if (!*is_new && seen.doubled)
    advise(judge, rule<"EFA-3.2-1">, false, seen, Field::msg_id, want, actual(seen.packet.msg_id),
           "the packet has been sent twice, or UDP has doubled it");
  else
    require(judge, rule<"EFA-3.2-1">, *is_new, seen, Field::msg_id, want, actual(seen.packet.msg_id),
            "it has been used, and nothing shows that another endpoint took the place of either");
}

void check_meeting_again(Judge& judge, const MeetingAgainFact& unproven) {
  if (!unproven.is_known) return advise_one_handshake(judge, unproven.handshakes);
  judge.at(marked(unproven.repeated, unproven.side));
  judge_due(judge, !unproven.may_be_doubled, rule<"EFA-3.2-1">, false, octets(4, 4),
            expected("an ID that no message has"), actual(unproven.msg_id),
            unproven.counts_on ? "it has been used, and the other side counts on: the two have not met again"
                               : "it has been used, and no HANDSHAKE of both sides shows that the two have met again");
}

}  // namespace wirelaw::efa
