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
       "Message IDs are given in the order of sending, none left out.", "EFA/A-19, EFA/A-68, EFA/A-85",
       {{msg_id_skips, warning}, {msg_id_skips, responder, warning}, {peer_error_wrong_op_id, requester, warning}}},
      {"EFA-3.2-3", must, requester, k3_2MsgId, trace, absence,
       "After msg_id 4294967295 comes 0.", "EFA/A-41, EFA/A-68, EFA/A-85", {{msg_id_skips_zero, warning}}},
      {"EFA-3.2-4", should, requester, k3_2MsgId, trace, absence,
       "The first msg_id is 0.",
       "EFA/A-20: not stated, and what all deployed endpoints do; judged where the peer's HANDSHAKE comes behind it",
       {{msg_id_starts_at_one, responder, warning}}},
      {"EFA-3.2-48", must, requester, k3_2MediumMessage, trace, absence,
       "All segments of a medium message are sent.",
       "EFA/A-68, EFA/A-85; where the length is that of the message (EFA/A-03)", {{medium_segment_missing, warning}}},
      {"EFA-3.2-111", must, any, k3_2LongCTSMessage, trace, absence,
       "When all that was allowed has come, and the message goes on, another CTS is sent.", "EFA/A-68, EFA/A-85",
       {{cts_not_again, responder, warning}, {cts_recv_id_changes, responder, warning}}},
      {"EFA-3.2-148", must, any, k3_2LongCTSMessage, trace, absence,
       "The sender sends all the data that a CTS has allowed.", "EFA/A-68, EFA/A-85",
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
