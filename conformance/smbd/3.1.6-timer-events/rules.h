// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.6: the timers of a connection, 3.1.6.1 and 3.1.6.2.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct TimerEventsRules : Words {
  static constexpr std::string_view k3_1_6_1 = "[MS-SMBD] 3.1.6.1";
  static constexpr std::string_view k3_1_6_2 = "[MS-SMBD] 3.1.6.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.6-1", should, listener, k3_1_6_1, trace, absence,
       "A listener that gets no Negotiate Request ends the connection when its timer of 5 seconds expires.",
       "3.1.6.1, 3.1.7.2; SMBD/A28. A capture shows at most a warning: SMBD/A43",
       {negotiation_never_times_out, {negotiation_never_times_out, warning}}},
      {"SMBD-3.1.6-2", should, initiator, k3_1_6_1, stimulus, octets,
       "An initiator that gets no Negotiate Response ends the connection when its timer of 120 seconds expires.",
       "3.1.6.1, 3.1.4.1", {request_twice, data_before_response, negotiation_never_times_out}},
      {"SMBD-3.1.6-3", must, any, k3_1_6_1, api, octets,
       "If the Negotiation Timer ends the connection, the upper layer is notified of a connection loss.",
       "The upper layer sees it", {{loss_not_reported, listener}}},
      {"SMBD-3.1.6-4", should, any, k3_1_6_2, stimulus, octets,
       "When the idle timer expires, a side checks whether a keep-alive is unanswered.", {},
       {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, keepalive_not_sent,
        keepalive_without_flag, keepalive_never_gives_up, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.6-5", should, any, k3_1_6_2, stimulus, octets,
       "If a keep-alive is unanswered then, the side ends the connection.", "SMBD/A30", {keepalive_never_gives_up}},
      {"SMBD-3.1.6-6", must, any, k3_1_6_2, api, octets,
       "If the idle timer ends the connection, the upper layer is notified of a connection loss.",
       "The upper layer sees it", {loss_not_reported}},
      {"SMBD-3.1.6-7", should, any, k3_1_6_2, stimulus, octets,
       "If no keep-alive is unanswered then, the side marks one as pending.", {},
       {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, keepalive_not_sent,
        keepalive_without_flag, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.6-8", should, any, k3_1_6_2, stimulus, octets,
       "When the idle timer makes a keep-alive pending, a message with SMB_DIRECT_RESPONSE_REQUESTED is sent.", {},
       {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, keepalive_not_sent,
        keepalive_without_flag, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.6-9", may, any, k3_1_6_2, stimulus, octets,
       "The keep-alive may be an empty message.", {},
       {refuses_empty_messages, keepalive_unanswered, {ignores_granted_credits, listener}}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::TimerEventsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::TimerEventsRules, I> {
};
