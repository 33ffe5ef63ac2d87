// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.1.1: the state of a connection. Only behaviour that others see is binding (3.1.1).
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct ConnectionRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.1.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.1.1-1", must, any, kSection, stimulus, octets,
       "Connection.Role, which is ACTIVE, PASSIVE or ESTABLISHED, decides which message a receiver expects.", {},
       {{data_before_response, initiator}, request_twice, accepts_failure_status, bad_negotiation_ignored,
        ignores_bad_messages, hangs_on_bad_message}},
      {"SMBD-3.1.1.1-2", must, any, kSection, stimulus, octets,
       "A sender sends messages that wait for credits in the order in which the upper layer gave them.", {},
       {{data_before_response, initiator, warning}, messages_altered, last_message_first,
        {last_message_first, warning}, {data_big_endian, listener}, {data_offset_beyond, listener},
        {data_sum_wraps, listener}, {remaining_at_end, listener}, {negotiates_again, listener},
        {delivers_nothing, listener}, {refuses_empty_messages, listener}, {ignores_granted_credits, listener},
        {queue_not_restarted, listener}}},
      {"SMBD-3.1.1.1-3", must, any, kSection, api, octets,
       "A sender keeps, with a message that waits, the token that is to be invalidated with it.",
       "Needs an upper layer whose message with a token waits", {invalidates_nothing}},
      {"SMBD-3.1.1.1-4", must, any, kSection, stimulus, octets,
       "Connection.KeepaliveRequested is NONE, PENDING or SENT.", {}, {flag_without_cause}},
      {"SMBD-3.1.1.1-5", must, any, kSection, stimulus, octets,
       "Each connection has its own sizes and credits.", {},
       {segment_above_receive_size, {no_message_arrives, initiator}}},
      {"SMBD-3.1.1.1-6", must, any, kSection, stimulus, octets,
       "The negotiated values stay the same for the life of the connection.", "1.7",
       {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond, data_sum_wraps,
        data_length_short, remaining_at_end, fragment_repeated, fragment_missing, segment_above_receive_size,
        request_twice, {data_length_beyond, initiator}, {negotiates_again, initiator},
        {begins_with_fragments, listener}}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::ConnectionRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::ConnectionRules, I> {
};
