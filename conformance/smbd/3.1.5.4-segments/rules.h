// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct SegmentsRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.4-1", must, any, kSection, stimulus, octets,
       "After the negotiation, a sender sends only Data Transfer messages.",
       "SMBD/A8; SMBD-2.2-2 judges a negotiate message that is sent again",
       {request_twice, response_twice, negotiates_again}},
      {"SMBD-3.1.5.4-2", must, any, kSection, trace, octets,
       "A sender sends no upper-layer message longer than its receiver's MaxFragmentedSize.",
       "DataLength and RemainingDataLength together; their sum does not wrap",
       {remaining_includes_current, remaining_one_too_many, announces_too_much, message_above_fragmented_size}},
      {"SMBD-3.1.5.4-3", must, any, kSection, trace, octets,
       "In an empty message, Reserved is zero.", "SMBD/A3", {empty_reserved_set}},
      {"SMBD-3.1.5.4-4", must, any, kSection, trace, octets,
       "In an empty message, RemainingDataLength is zero.", "SMBD/A14: a fragment without data is an empty message",
       {empty_remaining_set, fragment_without_data}},
      {"SMBD-3.1.5.4-5", must, any, kSection, trace, octets,
       "In an empty message, DataOffset is zero.", {}, {empty_offset_set, data_length_short, fragment_without_data}},
      {"SMBD-3.1.5.4-6", must, any, kSection, trace, octets,
       "In a message that ends with its header, DataLength is zero.", {}, {empty_length_set}},
      {"SMBD-3.1.5.4-7", must, any, kSection, trace, octets,
       "An empty message has no padding and no payload: it is 20 octets long.",
       "SMBD/A20: a warning, unless DataOffset says that the octets are padding",
       {empty_offset_set, {empty_padded, warning}, data_length_short, fragment_without_data}},
      {"SMBD-3.1.5.4-8", must, any, kSection, stimulus, octets,
       "A sender sends a message that is not empty in one or more segments.", {},
       {{empty_length_set, listener}, data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond,
        data_sum_wraps, data_length_short, remaining_zero_early, fragments_swapped, fragment_repeated,
        fragment_missing, data_before_response, {delivers_fragments, listener}, {begins_with_fragments, listener}}},
      {"SMBD-3.1.5.4-9", must, any, kSection, trace, octets,
       "In a segment, DataOffset is a multiple of 8.", {}, {data_offset_unaligned}},
      {"SMBD-3.1.5.4-10", must, any, kSection, stimulus, octets,
       "A sender determines DataOffset and DataLength for each segment.", {},
       {data_altered, fragments_swapped, {receives_small, initiator}, {delivers_fragments, initiator},
        {begins_with_fragments, initiator}}},
      {"SMBD-3.1.5.4-11", must, any, kSection, api, octets,
       "A sender returns an error for a message longer than MaxFragmentedSendSize.", "The upper layer sees it",
       {message_above_fragmented_size}},
      {"SMBD-3.1.5.4-12", must, any, kSection, trace, octets,
       "In a segment, the sum of DataOffset and DataLength is at most MaxSendSize.",
       "The smaller of the sender's PreferredSendSize and the receiver's MaxReceiveSize (3.1.5.6, 3.1.5.7)",
       {response_preferred_above_request, segment_above_receive_size, segment_above_preferred_size}},
      {"SMBD-3.1.5.4-13", should, any, kSection, trace, octets,
       "A sender sets DataOffset to 24.", "The same sentence permits (MAY) other valid values: a breach is a warning",
       {{data_offset_32, warning}}},
      {"SMBD-3.1.5.4-14", should, any, kSection, trace, octets,
       "A sender fills every segment but the last with MaxSendSize - 24 octets of payload.",
       "The same sentence permits (MAY) other valid values: a breach is a warning",
       {{response_preferred_above_request, warning}, {data_length_short, warning}, {remaining_at_end, warning}}},
      {"SMBD-3.1.5.4-15", may, any, kSection, stimulus, octets,
       "A sender may use other valid values of DataOffset and DataLength; a receiver accepts them.", "SMBD/A1",
       {receives_small, refuses_unusual_offset, refuses_trailing_data, delivers_fragments, takes_data_from_24}},
      {"SMBD-3.1.5.4-16", must, any, kSection, trace, octets,
       "In the last segment of a message, RemainingDataLength is zero.",
       "SMBD/A15: the previous segment says how much is left", {{fragments_swapped, listener}, remaining_at_end}},
      {"SMBD-3.1.5.4-17", must, any, kSection, trace, octets,
       "In any other segment, RemainingDataLength is the number of octets still to be sent after it.",
       "SMBD/A15, SMBD/A16, SMBD/A42: it does not count the segment itself",
       {data_length_short, remaining_includes_current, remaining_one_too_many, remaining_constant, remaining_at_end,
        remaining_zero_early, announces_too_much, fragments_swapped, fragment_repeated, fragment_missing}},
      {"SMBD-3.1.5.4-18", must, any, kSection, stimulus, octets,
       "A sender sends the DataOffset and DataLength that it has determined.", {},
       {{empty_length_set, listener}, data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond,
        data_sum_wraps, data_length_short, remaining_zero_early, fragments_swapped, fragment_repeated,
        fragment_missing, data_before_response, {delivers_fragments, listener}, {begins_with_fragments, listener}}},
      {"SMBD-3.1.5.4-19", must, any, kSection, trace, octets,
       "A sender sets the octets between the header and DataOffset to zero.", "SMBD/A1, SMBD/A2", {padding_not_zero}},
      {"SMBD-3.1.5.4-20", must, any, kSection, stimulus, octets,
       "The payload of a segment is the next DataLength octets of the message.", "An echo shows it",
       {data_altered, fragments_swapped, {receives_small, initiator}, {delivers_fragments, initiator},
        {begins_with_fragments, initiator}, {fragments_left_behind, listener}}},
      {"SMBD-3.1.5.4-21", must, any, kSection, trace, octets,
       "A sender invalidates a token with exactly one segment of a message.",
       "SMBD/A35: any segment; SMBD/A34: an empty message is not judged; S-14", {invalidates_every_segment}},
      {"SMBD-3.1.5.4-22", must, any, kSection, stimulus, octets,
       "A sender sends segments until no octet of the message remains.", {},
       {{queue_not_restarted, initiator}, data_length_short, remaining_at_end, {grants_nothing, initiator},
        {refuses_empty_messages, initiator}, {ignores_granted_credits, initiator},
        {grant_replaces_credits, listener}}},
      {"SMBD-3.1.5.4-23", must, any, kSection, trace, octets,
       "A sender sends the segments of a message without any other message between them, not even an empty one.",
       "SMBD/A13", {data_length_short, empty_between_fragments, {remaining_at_end, initiator}}},
      {"SMBD-3.1.5.4-24", must, any, kSection, none, octets,
       "A sender spends a credit on an empty message as on any other.",
       "SMBD-3.1.5.1-3 judges that no message is sent without a credit"},
      {"SMBD-3.1.5.4-25", must, any, kSection, stimulus, octets,
       "A Send that fails ends the connection.", "SMBD/A46", {endpoint_left_open}},
      {"SMBD-3.1.5.4-26", must, any, kSection, api, octets,
       "A sender returns the RDMA provider's result to the caller.", "The upper layer sees it",
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
