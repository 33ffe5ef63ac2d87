// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct NegotiateRequestRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 2.2.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-2.2.1-1", must, initiator, kSection, trace, absence,
       "The first message of the initiator is a Negotiate Request.", {}, {data_before_request}},
      {"SMBD-2.2.1-2", must, initiator, kSection, none, octets,
       "MinVersion is one of the versions of 1.7.", "there is one, 0x0100: judged by SMBD-3.1.5.2-1"},
      {"SMBD-2.2.1-3", must, initiator, kSection, none, octets,
       "MaxVersion is one of the versions of 1.7.", "there is one, 0x0100: judged by SMBD-3.1.5.2-2"},
      {"SMBD-2.2.1-4", must, initiator, kSection, trace, octets,
       "MaxVersion is not below MinVersion.", {}, {request_max_below_min}},
      {"SMBD-2.2.1-5", must, initiator, kSection, stimulus, octets,
       "The initiator supports each version from MinVersion to MaxVersion.", {},
       {no_message_arrives, request_min_version_zero, request_max_version_two, request_version_two,
        request_max_below_min, request_big_endian, data_before_request}},
      {"SMBD-2.2.1-6", must, initiator, kSection, trace, octets,
       "CreditsRequested, the send credits that the initiator wants, is not zero.",
       "by 3.1.5.6: the receiver ends the connection otherwise", {request_credits_zero}},
      {"SMBD-2.2.1-7", should, initiator, kSection, none, octets,
       "Reserved is sent as zero.", "SMBD/A3: a MUST in 3.1.5.2; judged by SMBD-3.1.5.2-3"},
      {"SMBD-2.2.1-8", must, initiator, kSection, trace, octets,
       "MaxReceiveSize, the longest message that the initiator can receive, is at least 128.", "by 3.1.5.6",
       {request_receive_size_low}},
      {"SMBD-2.2.1-9", must, listener, kSection, trace, octets,
       "No message to the initiator is longer than the MaxReceiveSize of its request, octets behind the data "
       "included.", "SMBD/A20"},
      {"SMBD-2.2.1-10", must, initiator, kSection, trace, octets,
       "MaxFragmentedSize, the most octets of one upper-layer message that the initiator can put together, is at "
       "least 131,072.", "by 3.1.5.6", {request_fragmented_size_low}},
      {"SMBD-2.2.1-11", must, initiator, kSection, trace, octets,
       "The request holds all of its fields: 20 octets at least.", "by 3.1.5.6; SMBD/A21: more are accepted",
       {request_short}},
      {"SMBD-2.2.1-12", must, listener, kSection, stimulus, octets,
       "The listener ignores Reserved.", {},
       {no_message_arrives, response_short, response_status_not_zero, remaining_at_end, response_twice,
        response_missing, response_behind_data, negotiates_again, refuses_reserved_bits, ignores_granted_credits}},
      {"SMBD-2.2.1-13", must, initiator, kSection, stimulus, octets,
       "PreferredSendSize is the longest message that the initiator goes on to send.", "in a trace: SMBD-3.1.5.4-12",
       {data_length_beyond, segment_above_preferred_size, request_twice, negotiates_again}},
      {"SMBD-2.2.1-14", must, initiator, kSection, stimulus, octets,
       "The initiator can receive a message of MaxReceiveSize octets.", {},
       {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond, data_sum_wraps,
        data_length_short, data_altered, fragments_swapped, fragment_repeated, fragment_missing, receives_small,
        data_before_response, delivers_fragments, delivers_nothing, fragments_left_behind, begins_with_fragments}},
      {"SMBD-2.2.1-15", must, initiator, kSection, stimulus, octets,
       "The initiator can put together an upper-layer message of MaxFragmentedSize octets.",
       "S-09: what is announced must be coverable by credits",
       {{data_before_response, initiator}, fragments_swapped, fragment_repeated, fragment_missing, receives_small,
        delivers_fragments, fragments_left_behind, grant_replaces_credits}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::NegotiateRequestRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::NegotiateRequestRules, I> {
};
