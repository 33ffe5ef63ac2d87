// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct NegotiateRequestRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 2.2.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-2.2.1-1", must, initiator, kSection, trace, absence,
       "The first message that the initiator sends is a Negotiate Request.", {}, {data_before_request}},
      {"SMBD-2.2.1-2", must, initiator, kSection, none, octets,
       "The initiator sets MinVersion to a version that 1.7 lists.",
       "1.7 lists only 0x0100: judged by SMBD-3.1.5.2-1"},
      {"SMBD-2.2.1-3", must, initiator, kSection, none, octets,
       "The initiator sets MaxVersion to a version that 1.7 lists.",
       "1.7 lists only 0x0100: judged by SMBD-3.1.5.2-2"},
      {"SMBD-2.2.1-4", must, initiator, kSection, trace, octets,
       "In a Negotiate Request, MaxVersion is not below MinVersion.", {}, {request_max_below_min}},
      {"SMBD-2.2.1-5", must, initiator, kSection, stimulus, octets,
       "The initiator supports each version from MinVersion to MaxVersion.", {},
       {no_message_arrives, request_min_version_zero, request_max_version_two, request_version_two,
        request_max_below_min, request_big_endian, data_before_request}},
      {"SMBD-2.2.1-6", must, initiator, kSection, trace, octets,
       "The initiator requests at least one send credit: CreditsRequested is not zero.",
       "3.1.5.6 makes the listener end the connection otherwise", {request_credits_zero}},
      {"SMBD-2.2.1-7", should, initiator, kSection, none, octets,
       "The initiator sets Reserved of its Negotiate Request to zero.",
       "SMBD/A3: a MUST in 3.1.5.2; judged by SMBD-3.1.5.2-3"},
      {"SMBD-2.2.1-8", must, initiator, kSection, trace, octets,
       "The initiator sets MaxReceiveSize, the longest message that it can receive, to at least 128.", "From 3.1.5.6",
       {request_receive_size_low}},
      {"SMBD-2.2.1-9", must, listener, kSection, trace, octets,
       "The listener sends no message longer than the initiator's MaxReceiveSize, octets after the payload included.",
       "SMBD/A20"},
      {"SMBD-2.2.1-10", must, initiator, kSection, trace, octets,
       "The initiator sets MaxFragmentedSize, the longest upper-layer message that it can reassemble, to at least "
       "131,072.", "From 3.1.5.6", {request_fragmented_size_low}},
      {"SMBD-2.2.1-11", must, initiator, kSection, trace, octets,
       "A Negotiate Request has all its fields: it is at least 20 octets long.",
       "From 3.1.5.6; SMBD/A21: a longer request is accepted", {request_short}},
      {"SMBD-2.2.1-12", must, listener, kSection, stimulus, octets,
       "The listener ignores Reserved of a Negotiate Request.", {},
       {no_message_arrives, response_short, response_status_not_zero, remaining_at_end, response_twice,
        response_missing, response_behind_data, negotiates_again, refuses_reserved_bits, ignores_granted_credits}},
      {"SMBD-2.2.1-13", must, initiator, kSection, stimulus, octets,
       "The initiator sends no message longer than its PreferredSendSize.", "In a trace: SMBD-3.1.5.4-12",
       {data_length_beyond, segment_above_preferred_size, request_twice, negotiates_again}},
      {"SMBD-2.2.1-14", must, initiator, kSection, stimulus, octets,
       "The initiator can receive a message of MaxReceiveSize octets.", {},
       {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond, data_sum_wraps,
        data_length_short, data_altered, fragments_swapped, fragment_repeated, fragment_missing, receives_small,
        data_before_response, delivers_fragments, delivers_nothing, fragments_left_behind, begins_with_fragments}},
      {"SMBD-2.2.1-15", must, initiator, kSection, stimulus, octets,
       "The initiator can reassemble an upper-layer message of MaxFragmentedSize octets.",
       "S-09: credits must suffice for a message of the announced size",
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
