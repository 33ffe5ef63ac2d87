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
       "No two messages of a sender have the same msg_id.",
       "EFA/A-19: RTM and RTA may be counted apart; several packets of a medium or runting message have that of the "
       "message",
       {msg_id_repeats, {msg_id_repeats, responder}, {msg_id_repeats, warning}, {msg_id_repeats, responder, warning},
        {medium_segment_twice, warning}, {medium_segment_twice, responder, warning}}},
      {"EFA-3.2-201", must, responder, kSection, stimulus, octets,
       "Messages that arrive before the one whose turn it is are delivered once it has come.", {},
       {handshake_needed, reorder_not_tolerated}},
      {"EFA-3.2-202", should, responder, kSection, stimulus, octets,
       "Messages are delivered in the order of their msg_id.",
       "ordered delivery is the application's choice (FI_ORDER_SAS), so that this warns",
       {{delivers_in_arrival_order, warning}}},
      {"EFA-3.2-203", must, responder, kSection, stimulus, octets,
       "A message whose packet comes again, also late, is not delivered again.", {},
       {reorder_not_tolerated, duplicates_delivered}},
      {"EFA-3.2-204", must, responder, kSection, stimulus, octets,
       "A msg_id far ahead of its turn does no harm, nor to the peer's messages that have their turn.", {},
       {duplicates_delivered, dies_of_far_msg_id}},
      {"EFA-3.2-205", must, responder, kSection, stimulus, octets,
       "Any number of messages that wait for one that never comes leave the responder able to serve others.", {},
       {dies_of_many_waiting}},
      {"EFA-3.2-206", must, responder, kSection, stimulus, octets,
       "After msg_id 4294967295 the message with msg_id 0 is taken.",
       "only where the peer's first msg_id can be set near the end (parameter msg_id)",
       {{wrap_not_tolerated, "near the last msg_id"}}},
      {"EFA-3.2-207", must, requester, kSection, stimulus, octets,
       "A msg_id far ahead of its turn does the requester no harm, nor what it waits for.", {}, {dies_of_far_msg_id}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::MsgIdRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::MsgIdRules, I> {
};
