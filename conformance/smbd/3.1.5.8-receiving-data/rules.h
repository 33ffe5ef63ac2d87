// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.5.8: a receiver processes a Data Transfer.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct ReceivingDataRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.8";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.8-1", must, any, kSection, stimulus, octets,
       "A receiver ends the connection if a message is shorter than 20 octets.", "S-03",
       {accepts_short_message, ignores_bad_messages, hangs_on_bad_message}},
      {"SMBD-3.1.5.8-2", must, any, kSection, stimulus, octets,
       "A receiver ends the connection if CreditsRequested is zero.", {},
       {accepts_no_credits, ignores_bad_messages, hangs_on_bad_message}},
      {"SMBD-3.1.5.8-3", must, any, kSection, stimulus, octets,
       "A receiver ends the connection if DataOffset is not a multiple of 8.", {},
       {accepts_unaligned_data, ignores_bad_messages, hangs_on_bad_message}},
      {"SMBD-3.1.5.8-4", must, any, kSection, stimulus, octets,
       "A receiver passes no octet of a message that fails these checks to the upper layer.", {},
       {lengths_signed, accepts_no_credits, accepts_unaligned_data, accepts_data_beyond, offset_not_checked,
        accepts_early_end}},
      {"SMBD-3.1.5.8-5", must, any, kSection, stimulus, octets,
       "A receiver ends the connection if DataOffset + DataLength is beyond the message, even if the sum wraps.",
       "S-01",
       {lengths_signed, accepts_data_beyond, wraps_on_receipt, offset_not_checked, ignores_bad_messages,
        hangs_on_bad_message}},
      {"SMBD-3.1.5.8-6", must, any, kSection, stimulus, octets,
       "A receiver ends the connection if DataLength + RemainingDataLength is above MaxFragmentedRecvSize, even if "
       "the sum wraps.", "SMBD/A6",
       {lengths_signed, request_fragmented_size_low, request_big_endian, response_fragmented_size_low,
        response_big_endian, wraps_on_receipt, accepts_too_much_announced, ignores_bad_messages,
        hangs_on_bad_message}},
      {"SMBD-3.1.5.8-7", must, any, kSection, stimulus, octets,
       "For each message received, a receiver counts one credit of the peer as spent.", {},
       {grants_without_receives, {negotiates_again, initiator}, {grants_nothing, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.8-8", must, any, kSection, stimulus, octets,
       "If its send queue is empty and it can grant credits, a receiver promptly sends a message that grants them.",
       "SMBD/A28; S-08",
       {grants_without_receives, flag_without_cause, {negotiates_again, initiator}, {grants_nothing, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.8-9", must, any, kSection, stimulus, octets,
       "A receiver takes CreditsRequested as its new target.", "S-08",
       {messages_altered, delivers_nothing, ignores_requested_credits, grant_replaces_credits,
        {data_big_endian, listener}, {empty_length_set, listener}, {data_offset_beyond, listener},
        {data_sum_wraps, listener}, {remaining_at_end, listener}, {negotiates_again, listener}}},
      {"SMBD-3.1.5.8-10", must, any, kSection, stimulus, octets,
       "SMB_DIRECT_RESPONSE_REQUESTED makes a keep-alive pending at the receiver.", "SMBD/A4, SMBD/A5",
       {refuses_empty_messages, keepalive_unanswered, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.8-11", must, any, kSection, stimulus, octets,
       "A receiver of that flag immediately sends one message; the two sides do not exchange such messages endlessly.",
       "SMBD/A4; S-10",
       {hangs_on_bad_message, hangs_on_odd_message, messages_altered, data_short, delivers_nothing,
        refuses_empty_messages, keepalive_unanswered, keepalive_answered_often, {data_big_endian, listener},
        {data_offset_beyond, listener}, {data_sum_wraps, listener}, {remaining_at_end, listener},
        {negotiates_again, listener}, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.8-12", must, any, kSection, trace, absence,
       "A receiver that is asked for a response promptly sends a message.",
       "SMBD/A28: within 5 seconds. A capture shows at most a warning: SMBD/A48",
       {{keepalive_unanswered, warning}, {ignores_granted_credits, listener, warning}}},
      {"SMBD-3.1.5.8-13", must, any, kSection, stimulus, octets,
       "A receiver adds CreditsGranted to its send credits.", "SMBD/A38",
       {data_before_response, refuses_empty_messages, grant_replaces_credits, {remaining_zero_early, initiator}}},
      {"SMBD-3.1.5.8-14", must, any, kSection, stimulus, octets,
       "When credits arrive, a receiver sends the messages that wait for them.", {},
       {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond, data_sum_wraps,
        data_length_short, remaining_at_end, remaining_zero_early, fragment_repeated, fragment_missing,
        data_before_response, refuses_empty_messages, ignores_granted_credits, queue_not_restarted,
        {data_altered, listener}, {last_message_first, listener}, {negotiates_again, listener},
        {delivers_nothing, listener}, {begins_with_fragments, listener}}},
      {"SMBD-3.1.5.8-15", must, any, kSection, stimulus, octets,
       "A receiver appends the payload to what it has received of the message.", "SMBD/A18",
       {{receives_small, listener}, data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond,
        data_sum_wraps, data_altered, data_before_response, refuses_unusual_offset, refuses_trailing_data,
        ignores_bad_messages, hangs_on_bad_message, delivers_fragments, delivers_nothing, takes_data_from_24,
        fragments_left_behind, refuses_empty_messages, hangs_on_odd_message, grant_replaces_credits,
        begins_with_fragments, {empty_length_set, listener}, {data_length_short, listener},
        {remaining_at_end, listener}, {negotiates_again, listener}}},
      {"SMBD-3.1.5.8-16", must, any, kSection, stimulus, octets,
       "A receiver takes the octets that remain from the first fragment and subtracts each later DataLength.",
       "SMBD/A15, SMBD/A16, SMBD/A17", {delivers_fragments, grant_replaces_credits, {empty_length_set, listener}}},
      {"SMBD-3.1.5.8-17", must, any, kSection, stimulus, octets,
       "A receiver ends the connection if RemainingDataLength is zero although octets remain.", "SMBD/A13",
       {accepts_early_end, ignores_bad_messages, hangs_on_bad_message}},
      {"SMBD-3.1.5.8-18", must, any, kSection, api, octets,
       "A receiver remembers a token that the RDMA provider has invalidated on receipt.", "The upper layer sees it",
       {delivers_fragments, invalidation_not_reported, descriptor_token_wrong, {refuses_empty_messages, listener}}},
      {"SMBD-3.1.5.8-19", must, any, kSection, api, octets,
       "A receiver passes the invalidated token to the upper layer with the whole message.", "The upper layer sees it",
       {delivers_fragments, invalidation_not_reported, descriptor_token_wrong, {refuses_empty_messages, listener}}},
      {"SMBD-3.1.5.8-20", must, any, kSection, api, octets,
       "A receiver passes the invalidated token up only once.", "The upper layer sees it",
       {invalidation_reported_twice}},
      {"SMBD-3.1.5.8-21", must, any, kSection, stimulus, octets,
       "A receiver passes the whole message to the upper layer.", "An echo shows it",
       {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond, data_sum_wraps, data_altered,
        data_before_response, ignores_bad_messages, hangs_on_bad_message, delivers_fragments, delivers_nothing,
        fragments_left_behind, hangs_on_odd_message, grant_replaces_credits, begins_with_fragments,
        {empty_length_set, listener}, {data_length_short, listener}, {remaining_at_end, listener},
        {negotiates_again, listener}}},
      {"SMBD-3.1.5.8-22", must, any, kSection, stimulus, octets,
       "A receiver starts each message with an empty reassembly buffer.", "An echo shows it",
       {{data_before_response, initiator}, fragments_left_behind}},
      {"SMBD-3.1.5.8-23", must, any, kSection, api, octets,
       "A token that is invalidated later replaces an earlier one.", "The upper layer sees it",
       {delivers_fragments, invalidation_not_reported, descriptor_token_wrong, first_token_kept,
        {refuses_empty_messages, listener}}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::ReceivingDataRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::ReceivingDataRules, I> {
};
