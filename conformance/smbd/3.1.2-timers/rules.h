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
       "The time for connecting and negotiating is limited.", {},
       {{request_twice, warning}, {data_before_response, warning}, {negotiation_never_times_out, warning}}},
      {"SMBD-3.1.2-2", must, any, kSection, stimulus, octets,
       "Where that time is over, the connection is ended and the request has failed.", {},
       {no_message_arrives, response_short, response_status_not_zero, response_twice, response_missing,
        response_behind_data, {request_twice, warning}, {data_before_response, warning},
        {negotiation_never_times_out, warning}, {remaining_at_end, listener}, {negotiates_again, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.2-3", must, any, kSection, stimulus, octets,
       "The time without a message from the peer is limited.",
       "the default is 120 seconds, which a case may have to wait for",
       {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, keepalive_not_sent,
        keepalive_without_flag, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.2-4", must, any, kSection, stimulus, octets,
       "When that time is over, a message with SMB_DIRECT_RESPONSE_REQUESTED is sent.", {},
       {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, keepalive_not_sent,
        keepalive_without_flag, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.2-5", may, any, kSection, stimulus, octets,
       "Where no message answers it, the connection may be ended.", "SMBD/A30: a SHOULD in 3.1.6.2",
       {{keepalive_never_gives_up, warning}}},
      {"SMBD-3.1.2-6", must, any, kSection, stimulus, octets,
       "Receiving restarts the idle timer; sending does not.", "SMBD/A36",
       {negotiation_timer_not_stopped, refuses_empty_messages, idle_timer_not_restarted}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::TimersRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::TimersRules, I> {
};
