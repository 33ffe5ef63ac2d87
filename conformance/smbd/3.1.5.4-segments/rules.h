// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct SegmentsRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.4-1", must, any, kSection, stimulus, octets,
       "Behind the negotiation every message is a Data Transfer.",
       "SMBD/A8; a negotiate message sent again is judged by SMBD-2.2-2",
       {request_twice, response_twice, negotiates_again}},
      {"SMBD-3.1.5.4-2", must, any, kSection, trace, octets,
       "An upper-layer message is at most as long as the MaxFragmentedSize of its receiver.",
       "DataLength and RemainingDataLength together; their sum does not wrap: S-02",
       {remaining_includes_current, remaining_one_too_many, announces_too_much, message_above_fragmented_size}},
      {"SMBD-3.1.5.4-3", must, any, kSection, trace, octets,
       "Reserved of an empty message is zero.", "SMBD/A3", {empty_reserved_set}},
      {"SMBD-3.1.5.4-4", must, any, kSection, trace, octets,
       "RemainingDataLength of an empty message is zero.", "SMBD/A14: a fragment without data is an empty message",
       {empty_remaining_set, fragment_without_data}},
      {"SMBD-3.1.5.4-5", must, any, kSection, trace, octets,
       "DataOffset of an empty message is zero.", {}, {empty_offset_set, data_length_short, fragment_without_data}},
      {"SMBD-3.1.5.4-6", must, any, kSection, trace, octets,
       "DataLength of a message that ends with its header is zero.", {}, {empty_length_set}},
      {"SMBD-3.1.5.4-7", must, any, kSection, trace, octets,
       "An empty message has neither padding nor payload: it is 20 octets long.", {},
       {empty_offset_set, empty_padded, data_length_short, fragment_without_data}},
      {"SMBD-3.1.5.4-8", must, any, kSection, stimulus, octets,
       "A message that is not empty is sent in one segment or several.", {},
       {{empty_length_set, listener}, data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond,
        data_sum_wraps, data_length_short, remaining_zero_early, fragments_swapped, fragment_repeated,
        fragment_missing, data_before_response, {delivers_fragments, listener}, {begins_with_fragments, listener}}},
      {"SMBD-3.1.5.4-9", must, any, kSection, trace, octets,
       "DataOffset of a segment is a multiple of 8.", {}, {data_offset_unaligned}},
      {"SMBD-3.1.5.4-10", must, any, kSection, stimulus, octets,
       "DataOffset and DataLength are chosen for each segment.", {},
       {data_altered, fragments_swapped, {receives_small, initiator}, {delivers_fragments, initiator},
        {begins_with_fragments, initiator}}},
      {"SMBD-3.1.5.4-11", must, any, kSection, api, octets,
       "A message above MaxFragmentedSendSize gives an error.", "the upper layer sees it",
       {message_above_fragmented_size}},
      {"SMBD-3.1.5.4-12", must, any, kSection, trace, octets,
       "DataOffset and DataLength together are at most MaxSendSize.",
       "the smaller of the sender's PreferredSendSize and the receiver's MaxReceiveSize (3.1.5.6, 3.1.5.7)",
       {response_preferred_above_request, segment_above_receive_size, segment_above_preferred_size}},
      {"SMBD-3.1.5.4-13", should, any, kSection, trace, octets,
       "DataOffset is 24.", "other valid values are a MAY of the same sentence: a breach is a warning",
       {{data_offset_32, warning}}},
      {"SMBD-3.1.5.4-14", should, any, kSection, trace, octets,
       "A segment that is not the last holds MaxSendSize - 24 octets.",
       "other valid values are a MAY of the same sentence: a breach is a warning",
       {{response_preferred_above_request, warning}, {data_length_short, warning}, {remaining_at_end, warning}}},
      {"SMBD-3.1.5.4-15", may, any, kSection, stimulus, octets,
       "DataOffset and DataLength may have other valid values: a receiver takes them.", "SMBD/A1",
       {receives_small, refuses_unusual_offset, refuses_trailing_data, delivers_fragments, takes_data_from_24}},
      {"SMBD-3.1.5.4-16", must, any, kSection, trace, octets,
       "RemainingDataLength of the last segment is zero.", "by what the segment before it announced: SMBD/A15",
       {{fragments_swapped, listener}, remaining_at_end}},
      {"SMBD-3.1.5.4-17", must, any, kSection, trace, octets,
       "RemainingDataLength of any other segment is what is left to be sent behind it.",
       "SMBD/A15, SMBD/A16, SMBD/A42: it does not count the segment itself",
       {data_length_short, remaining_includes_current, remaining_one_too_many, remaining_constant, remaining_at_end,
        remaining_zero_early, announces_too_much, fragments_swapped, fragment_repeated, fragment_missing}},
      {"SMBD-3.1.5.4-18", must, any, kSection, stimulus, octets,
       "DataOffset and DataLength are sent as they were chosen.", {},
       {{empty_length_set, listener}, data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond,
        data_sum_wraps, data_length_short, remaining_zero_early, fragments_swapped, fragment_repeated,
        fragment_missing, data_before_response, {delivers_fragments, listener}, {begins_with_fragments, listener}}},
      {"SMBD-3.1.5.4-19", must, any, kSection, trace, octets,
       "The octets between the header and DataOffset are zero.", "SMBD/A1, SMBD/A2", {padding_not_zero}},
      {"SMBD-3.1.5.4-20", must, any, kSection, stimulus, octets,
       "The payload is the DataLength octets that are due.", "an echo shows it",
       {data_altered, fragments_swapped, {receives_small, initiator}, {delivers_fragments, initiator},
        {begins_with_fragments, initiator}, {fragments_left_behind, listener}}},
      {"SMBD-3.1.5.4-21", must, any, kSection, trace, octets,
       "A token is invalidated with one segment of a message, and no more than one.",
       "SMBD/A35: whichever; SMBD/A34: an empty message is not judged; S-14", {invalidates_every_segment}},
      {"SMBD-3.1.5.4-22", must, any, kSection, stimulus, octets,
       "Segments follow until nothing remains.", {},
       {{queue_not_restarted, initiator}, data_length_short, remaining_at_end, {grants_nothing, initiator},
        {refuses_empty_messages, initiator}, {ignores_granted_credits, initiator}, {grant_replaces_credits, listener}}},
      {"SMBD-3.1.5.4-23", must, any, kSection, trace, octets,
       "The segments of a message follow each other strictly: no empty message comes between them.", "SMBD/A13",
       {data_length_short, empty_between_fragments, {remaining_at_end, initiator}}},
      {"SMBD-3.1.5.4-24", must, any, kSection, none, octets,
       "An empty message spends a credit like any other.", "that no message is sent without one: SMBD-3.1.5.1-5"},
      {"SMBD-3.1.5.4-25", must, any, kSection, stimulus, octets,
       "A Send that fails ends the connection.", "SMBD/A46", {endpoint_left_open}},
      {"SMBD-3.1.5.4-26", must, any, kSection, api, octets,
       "The provider's result is returned to the caller.", "the upper layer sees it",
       {send_result_lost, {refuses_empty_messages, listener}, {ignores_granted_credits, listener},
        {queue_not_restarted, listener}}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::SegmentsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::SegmentsRules, I> {
};
