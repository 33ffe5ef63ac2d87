// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct MsgIdRules : Words {
  static constexpr std::string_view k3_2MsgId = "EFA RDM v4 3.2, msg_id";
  static constexpr std::string_view kSection = "EFA RDM v4 3.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.2-1", must_not, requester, k3_2MsgId, trace, absence,
       "A sender gives each message its own msg_id.",
       "EFA/A-19: RTM and RTA may be counted separately. All packets of a medium or runting message have the "
       "message's msg_id",
       {msg_id_repeats, {msg_id_repeats, responder}, {msg_id_repeats, warning}, {msg_id_repeats, responder, warning},
        {medium_segment_twice, warning}, {medium_segment_twice, responder, warning}}},
      {"EFA-3.2-201", must, responder, kSection, stimulus, octets,
       "A responder holds messages that arrive early, and delivers them after the message that was due.", {},
       {handshake_needed, reorder_not_tolerated}},
      {"EFA-3.2-202", should, responder, kSection, stimulus, octets,
       "A responder delivers messages in the order of their msg_id.",
       "Ordered delivery is the application's choice (FI_ORDER_SAS), so a violation is a warning",
       {{delivers_in_arrival_order, warning}}},
      {"EFA-3.2-203", must, responder, kSection, stimulus, octets,
       "A responder does not deliver a message again if its packet is repeated, even much later.", {},
       {reorder_not_tolerated, duplicates_delivered}},
      {"EFA-3.2-204", must, responder, kSection, stimulus, octets,
       "After a msg_id far ahead of the expected one, a responder keeps working and still serves the peer's messages "
       "that are due.", {}, {duplicates_delivered, dies_of_far_msg_id}},
      {"EFA-3.2-205", must, responder, kSection, stimulus, octets,
       "A responder can serve other peers however many messages wait for one that never comes.", {},
       {dies_of_many_waiting}},
      {"EFA-3.2-206", must, responder, kSection, stimulus, octets,
       "A responder accepts msg_id 0 after msg_id 4294967295.",
       "Tried only if the peer's first msg_id can be set near the end (parameter msg_id)",
       {{wrap_not_tolerated, "near the last msg_id"}}},
      {"EFA-3.2-207", must, requester, kSection, stimulus, octets,
       "A requester keeps working, and completes what it waits for, after a msg_id far ahead of the expected one.", {},
       {dies_of_far_msg_id}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::MsgIdRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::MsgIdRules, I> {
};
