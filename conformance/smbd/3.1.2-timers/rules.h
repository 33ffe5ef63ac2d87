// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.2: the two timers of a connection.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct TimersRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.2-1", must, any, kSection, stimulus, octets,
       "The Negotiation Timer limits the time for connecting and negotiating.",
       "Ending the connection is a SHOULD (3.1.6.1, 3.1.6.2), so a connection that stays is a warning",
       {{request_twice, warning}, {data_before_response, warning}, {negotiation_never_times_out, warning}}},
      {"SMBD-3.1.2-2", must, any, kSection, stimulus, octets,
       "When the Negotiation Timer expires, the request fails and the connection is closed.", {},
       {no_message_arrives, response_short, response_status_not_zero, response_twice, response_missing,
        response_behind_data, {request_twice, warning}, {data_before_response, warning},
        {negotiation_never_times_out, warning}, {remaining_at_end, listener}, {negotiates_again, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.2-3", must, any, kSection, stimulus, octets,
       "The idle timer limits the time without a message from the peer.",
       "The default is 120 seconds, so a case may wait that long",
       {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, keepalive_not_sent,
        keepalive_without_flag, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.2-4", must, any, kSection, stimulus, octets,
       "When the idle timer expires, a message with SMB_DIRECT_RESPONSE_REQUESTED is sent.", {},
       {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, keepalive_not_sent,
        keepalive_without_flag, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.2-5", may, any, kSection, stimulus, octets,
       "If no message answers the keep-alive, its sender may close the connection.", "SMBD/A30: a SHOULD in 3.1.6.2",
       {{keepalive_never_gives_up, warning}}},
      {"SMBD-3.1.2-6", must, any, kSection, stimulus, octets,
       "A message from the peer restarts the idle timer; sending a message does not.", "SMBD/A36",
       {negotiation_timer_not_stopped, refuses_empty_messages, idle_timer_not_restarted}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::TimersRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::TimersRules, I> {
};
