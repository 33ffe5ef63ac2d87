// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.5: the first processing step of every received message.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct ReceivingRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.5";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.5-1", must, listener, kSection, stimulus, octets,
       "The listener handles its first message as a Negotiate Request, whatever it contains.", {},
       {bad_negotiation_ignored}},
      {"SMBD-3.1.5.5-2", must, initiator, kSection, stimulus, octets,
       "The initiator handles its first message as a Negotiate Response, whatever it contains.", {},
       {{data_before_response, initiator}, request_twice, accepts_failure_status, bad_negotiation_ignored}},
      {"SMBD-3.1.5.5-3", must, any, kSection, stimulus, octets,
       "A message on an established connection restarts the receiver's idle timer with KeepaliveInterval.", "SMBD/A36",
       {messages_altered, data_big_endian, negotiation_timer_not_stopped, delivers_nothing, refuses_empty_messages,
        keepalive_not_sent, keepalive_without_flag, idle_timer_not_restarted, {data_offset_beyond, listener},
        {data_sum_wraps, listener}, {remaining_at_end, listener}, {negotiates_again, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.5-4", must, any, kSection, stimulus, octets,
       "A message on an established connection answers a keep-alive that is pending or sent.",
       "SMBD/A5: before the receiver processes the flag of this message",
       {messages_altered, data_short, delivers_nothing, idle_timer_not_restarted, {data_offset_beyond, listener},
        {data_sum_wraps, listener}, {remaining_at_end, listener}, {negotiates_again, listener}}},
      {"SMBD-3.1.5.5-5", must, any, kSection, stimulus, octets,
       "On an established connection, a receiver handles every message as a Data Transfer.", {},
       {ignores_bad_messages, hangs_on_bad_message}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::ReceivingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::ReceivingRules, I> {
};
