// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct SendingRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.1-1", must, initiator, kSection, trace, absence,
       "The initiator sends no Data Transfer before it has received the Negotiate Response.",
       "S-11 and rule 12 of the error-prone ones", {data_before_response}},
      {"SMBD-3.1.5.1-2", must, any, kSection, stimulus, octets,
       "A sender appends new messages to its send queue.", {},
       {{data_before_response, initiator, warning}, messages_altered, last_message_first,
        {last_message_first, warning}, {data_big_endian, listener}, {data_offset_beyond, listener},
        {data_sum_wraps, listener}, {remaining_at_end, listener}, {negotiates_again, listener},
        {delivers_nothing, listener}, {refuses_empty_messages, listener}, {ignores_granted_credits, listener},
        {queue_not_restarted, listener}}},
      {"SMBD-3.1.5.1-3", must, any, kSection, trace, absence,
       "A sender sends no message without a send credit.",
       "The judge counts the credits granted before the message passed the capture: never fewer than the sender has",
       {spends_without_credit}},
      {"SMBD-3.1.5.1-4", must, any, kSection, stimulus, octets,
       "If SendImmediate is set and the send queue is empty, a sender sends an empty message.", {},
       {refuses_empty_messages, keepalive_unanswered, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.1-5", must, any, kSection, stimulus, octets,
       "Before it sends a message, a sender grants credits in it if it can.", "SMBD/A12",
       {grants_without_receives, {negotiates_again, initiator}, {grants_nothing, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.1-6", must, any, kSection, trace, absence,
       "A sender spends its last send credit only on a message that grants credits.",
       "SMBD/A11: \"stop processing\" is read as a MUST; Linux spends it while its peer still has credits",
       {last_credit_without_grant, spends_without_credit, {fragments_swapped, listener}}},
      {"SMBD-3.1.5.1-7", must, any, kSection, stimulus, octets,
       "A sender spends one credit on each message.", {},
       {{fragment_missing, initiator}, no_message_arrives, response_credits_granted_unposted, response_big_endian,
        fragments_swapped, fragment_repeated, spends_without_credit, grants_unposted, grant_is_total, request_twice,
        data_before_response, response_twice, negotiates_again, delivers_fragments, fragments_left_behind,
        grant_replaces_credits, {empty_length_set, listener}, {remaining_at_end, listener},
        {remaining_zero_early, listener}, {fragment_missing, listener}, {refuses_empty_messages, listener}}},
      {"SMBD-3.1.5.1-8", must, any, kSection, stimulus, octets,
       "A sender sends the message that has waited longest first.", {},
       {{data_before_response, initiator, warning}, messages_altered, last_message_first,
        {last_message_first, warning}, {data_big_endian, listener}, {data_offset_beyond, listener},
        {data_sum_wraps, listener}, {remaining_at_end, listener}, {negotiates_again, listener},
        {delivers_nothing, listener}, {refuses_empty_messages, listener}, {ignores_granted_credits, listener},
        {queue_not_restarted, listener}}},
      {"SMBD-3.1.5.1-9", must, any, kSection, stimulus, octets,
       "A sender sets CreditsRequested to SendCreditTarget.",
       "SMBD/A37: a local value; SMBD-2.2.3-3 judges that it is not zero",
       {messages_altered, delivers_nothing, {credits_requested_zero, warning}, {requests_what_is_missing, warning},
        {data_big_endian, listener}, {data_offset_beyond, listener}, {data_sum_wraps, listener},
        {remaining_at_end, listener}, {negotiates_again, listener}}},
      {"SMBD-3.1.5.1-10", must, any, kSection, stimulus, octets,
       "If a keep-alive is pending, the next message requests a response.", {},
       {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, keepalive_not_sent,
        keepalive_without_flag, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.1-11", must, any, kSection, trace, absence,
       "A sender requests the response once: the keep-alive then counts as sent.",
       "SMBD/A4; before it asks again, it must have received something",
       {keepalive_never_gives_up, keepalive_repeated, flag_without_cause, {flag_without_cause, warning},
        {keepalive_never_gives_up, initiator, warning}, {keepalive_repeated, initiator, warning}}},
      {"SMBD-3.1.5.1-12", should, any, kSection, stimulus, octets,
       "When it sends a keep-alive, a sender sets the idle timer to a value of its own.", "SMBD/A29: 5 seconds",
       {{keepalive_never_gives_up, warning}}},
      {"SMBD-3.1.5.1-13", must, any, kSection, stimulus, octets,
       "If no keep-alive is pending, a sender sets Flags to zero.", "SMBD/A4: an answer with the flag is not judged",
       {flag_without_cause}},
      {"SMBD-3.1.5.1-14", should, any, kSection, api, octets,
       "A sender passes a token that is to be invalidated to the RDMA provider with the Send.",
       "Needs an upper layer that gives one",
       {{segment_above_receive_size, warning}, {request_twice, warning}, {data_before_response, warning},
        {invalidates_nothing, warning}, {invalidates_other_token, warning}, {negotiates_again, initiator, warning},
        {refuses_empty_messages, listener, warning}, {ignores_granted_credits, listener, warning},
        {queue_not_restarted, listener, warning}}},
      {"SMBD-3.1.5.1-15", may, any, kSection, api, octets,
       "A sender whose RDMA provider cannot invalidate remotely may ignore the token.",
       "Needs an upper layer that gives one"},
      {"SMBD-3.1.5.1-16", must, any, kSection, stimulus, octets,
       "A sender sends each message that it has taken from the queue.", {},
       {{receives_small, listener}, {fragment_missing, initiator}, no_message_arrives,
        response_credits_granted_unposted, response_big_endian, fragments_swapped, fragment_repeated, grants_unposted,
        grant_is_total, request_twice, data_before_response, response_twice, negotiates_again, delivers_fragments,
        fragments_left_behind, refuses_empty_messages, grant_replaces_credits, {empty_length_set, listener},
        {remaining_at_end, listener}, {remaining_zero_early, listener}, {fragment_missing, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.1-17", must, any, kSection, stimulus, octets,
       "A sender clears SendImmediate after it has sent a message.", {},
       {messages_altered, data_short, delivers_nothing, refuses_empty_messages, keepalive_unanswered,
        keepalive_answered_often, {data_big_endian, listener}, {data_offset_beyond, listener},
        {data_sum_wraps, listener}, {remaining_at_end, listener}, {negotiates_again, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.1-18", must, any, kSection, stimulus, octets,
       "A message that lacks a send credit waits; the sender sends it when credits arrive.", {},
       {{fragment_missing, initiator}, {ignores_granted_credits, listener}, {keepalive_unanswered, listener},
        no_message_arrives, response_credits_granted_unposted, response_big_endian, remaining_zero_early,
        fragments_swapped, fragment_repeated, spends_without_credit, grants_unposted, grant_is_total, request_twice,
        data_before_response, response_twice, negotiates_again, delivers_fragments, fragments_left_behind,
        refuses_empty_messages, grant_replaces_credits, queue_not_restarted, {ignores_granted_credits, initiator},
        {empty_length_set, listener}, {remaining_at_end, listener}, {fragment_missing, listener}}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::SendingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::SendingRules, I> {
};
