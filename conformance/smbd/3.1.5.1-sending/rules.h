// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct SendingRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.1-1", must, initiator, kSection, trace, absence,
       "No Data Transfer message is sent before the Negotiate Response has come.",
       "S-11 and rule 12 of the error-prone ones", {data_before_response}},
      {"SMBD-3.1.5.1-2", must, any, kSection, stimulus, octets,
       "New messages go behind those that wait.", {},
       {{data_before_response, initiator, warning}, messages_altered, last_message_first,
        {last_message_first, warning}, {data_big_endian, listener}, {data_offset_beyond, listener},
        {data_sum_wraps, listener}, {remaining_at_end, listener}, {negotiates_again, listener},
        {delivers_nothing, listener}, {refuses_empty_messages, listener}, {ignores_granted_credits, listener},
        {queue_not_restarted, listener}}},
      {"SMBD-3.1.5.1-3", must, any, kSection, trace, absence,
       "Nothing is sent without a send credit.",
       "the credits of a sender are those granted before its message passed the capture: never fewer than it has "
       "itself", {spends_without_credit}},
      {"SMBD-3.1.5.1-4", must, any, kSection, stimulus, octets,
       "Where something is to be sent at once and nothing waits, an empty message is made.", {},
       {refuses_empty_messages, keepalive_unanswered, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.1-5", must, any, kSection, stimulus, octets,
       "Before a message is sent, credits are granted with it where any can be.", "SMBD/A12",
       {grants_without_receives, {negotiates_again, initiator}, {grants_nothing, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.1-6", must, any, kSection, trace, absence,
       "The last send credit is spent only by a message that grants credits.",
       "SMBD/A11: \"stop processing\" is read as a MUST; Linux spends it while its peer still has credits",
       {last_credit_without_grant, spends_without_credit, {fragments_swapped, listener}}},
      {"SMBD-3.1.5.1-7", must, any, kSection, stimulus, octets,
       "Each message spends one credit.", {},
       {{fragment_missing, initiator}, no_message_arrives, response_credits_granted_unposted, response_big_endian,
        fragments_swapped, fragment_repeated, spends_without_credit, grants_unposted, grant_is_total, request_twice,
        data_before_response, response_twice, negotiates_again, delivers_fragments, fragments_left_behind,
        grant_replaces_credits, {empty_length_set, listener}, {remaining_at_end, listener},
        {remaining_zero_early, listener}, {fragment_missing, listener}, {refuses_empty_messages, listener}}},
      {"SMBD-3.1.5.1-8", must, any, kSection, stimulus, octets,
       "The message that has waited longest is sent first.", {},
       {{data_before_response, initiator, warning}, messages_altered, last_message_first,
        {last_message_first, warning}, {data_big_endian, listener}, {data_offset_beyond, listener},
        {data_sum_wraps, listener}, {remaining_at_end, listener}, {negotiates_again, listener},
        {delivers_nothing, listener}, {refuses_empty_messages, listener}, {ignores_granted_credits, listener},
        {queue_not_restarted, listener}}},
      {"SMBD-3.1.5.1-9", must, any, kSection, stimulus, octets,
       "CreditsRequested is SendCreditTarget.",
       "SMBD/A37: a local value; that it is not zero is judged by SMBD-2.2.3-3",
       {messages_altered, delivers_nothing, {credits_requested_zero, warning}, {requests_what_is_missing, warning},
        {data_big_endian, listener}, {data_offset_beyond, listener}, {data_sum_wraps, listener},
        {remaining_at_end, listener}, {negotiates_again, listener}}},
      {"SMBD-3.1.5.1-10", must, any, kSection, stimulus, octets,
       "Where a keep-alive is pending, the next message asks for a response.", {},
       {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, keepalive_not_sent,
        keepalive_without_flag, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.1-11", must, any, kSection, trace, absence,
       "It asks once: then the keep-alive counts as sent.",
       "SMBD/A4; to ask again, it must have received something since",
       {keepalive_never_gives_up, keepalive_repeated, flag_without_cause, {flag_without_cause, warning},
        {keepalive_never_gives_up, initiator, warning}, {keepalive_repeated, initiator, warning}}},
      {"SMBD-3.1.5.1-12", should, any, kSection, stimulus, octets,
       "The idle timer is set to a time of the implementation's own then.", "SMBD/A29: 5 seconds",
       {{keepalive_never_gives_up, warning}}},
      {"SMBD-3.1.5.1-13", must, any, kSection, stimulus, octets,
       "Where no keep-alive is pending, Flags is zero.", "SMBD/A4: an answer with the flag is not judged",
       {flag_without_cause}},
      {"SMBD-3.1.5.1-14", should, any, kSection, api, octets,
       "A token to be invalidated is given to the provider with the Send.", "needs an upper layer that gives one",
       {{segment_above_receive_size, warning}, {request_twice, warning}, {data_before_response, warning},
        {invalidates_nothing, warning}, {invalidates_other_token, warning}, {negotiates_again, initiator, warning},
        {refuses_empty_messages, listener, warning}, {ignores_granted_credits, listener, warning},
        {queue_not_restarted, listener, warning}}},
      {"SMBD-3.1.5.1-15", may, any, kSection, api, octets,
       "A provider that cannot invalidate remotely may leave it.", "needs an upper layer that gives one"},
      {"SMBD-3.1.5.1-16", must, any, kSection, stimulus, octets,
       "The message is sent.", {},
       {{receives_small, listener}, {fragment_missing, initiator}, no_message_arrives,
        response_credits_granted_unposted, response_big_endian, fragments_swapped, fragment_repeated, grants_unposted,
        grant_is_total, request_twice, data_before_response, response_twice, negotiates_again, delivers_fragments,
        fragments_left_behind, refuses_empty_messages, grant_replaces_credits, {empty_length_set, listener},
        {remaining_at_end, listener}, {remaining_zero_early, listener}, {fragment_missing, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.1-17", must, any, kSection, stimulus, octets,
       "Once something was sent, nothing is to be sent at once any more.", {},
       {messages_altered, data_short, delivers_nothing, refuses_empty_messages, keepalive_unanswered,
        keepalive_answered_often, {data_big_endian, listener}, {data_offset_beyond, listener},
        {data_sum_wraps, listener}, {remaining_at_end, listener}, {negotiates_again, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.1-18", must, any, kSection, stimulus, octets,
       "What cannot be sent for lack of credits waits, and goes out when credits come.", {},
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
