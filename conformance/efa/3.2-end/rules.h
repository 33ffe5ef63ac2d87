// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct EndRules : Words {
  static constexpr std::string_view k3_2MsgId = "EFA RDM v4 3.2, msg_id";
  static constexpr std::string_view k3_2MediumMessage = "EFA RDM v4 3.2, Medium message";
  static constexpr std::string_view k3_2LongCTSMessage = "EFA RDM v4 3.2, Long-CTS message";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.2-2", must, requester, k3_2MsgId, trace, absence,
       "A requester assigns message IDs in the order of sending, without gaps.", "EFA/A-19, EFA/A-68, EFA/A-85",
       {{msg_id_skips, warning}, {msg_id_skips, responder, warning}, {peer_error_wrong_op_id, requester, warning}}},
      {"EFA-3.2-3", must, requester, k3_2MsgId, trace, absence,
       "A requester uses msg_id 0 after msg_id 4294967295.", "EFA/A-41, EFA/A-68, EFA/A-85",
       {{msg_id_skips_zero, warning}}},
      {"EFA-3.2-4", should, requester, k3_2MsgId, trace, absence,
       "A requester uses msg_id 0 for its first message.",
       "EFA/A-20: the document does not state it, but all deployed endpoints do it. Judged if the peer's HANDSHAKE "
       "comes after it", {{msg_id_starts_at_one, responder, warning}}},
      {"EFA-3.2-48", must, requester, k3_2MediumMessage, trace, absence,
       "A requester sends all segments of a medium message.",
       "EFA/A-68, EFA/A-85; judged if seg_length is the length of the message (EFA/A-03)",
       {{medium_segment_missing, warning}}},
      {"EFA-3.2-111", must, any, k3_2LongCTSMessage, trace, absence,
       "An endpoint sends another CTS when it has received all data that was allowed, if the message is not complete.",
       "EFA/A-68, EFA/A-85", {{cts_not_again, responder, warning}, {cts_recv_id_changes, responder, warning}}},
      {"EFA-3.2-148", must, any, k3_2LongCTSMessage, trace, absence,
       "An endpoint sends all data that a CTS has allowed.", "EFA/A-68, EFA/A-85",
       {{data_beyond_window, responder, "stimulus"}, {longcts_length_long, requester, warning},
        {ctsdata_missing, requester, warning}, {ctsdata_missing, responder, "stimulus"},
        {ctsdata_twice, responder, "stimulus"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::EndRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::EndRules, I> {
};
