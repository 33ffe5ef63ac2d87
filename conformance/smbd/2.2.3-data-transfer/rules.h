// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct DataTransferRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 2.2.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-2.2.3-1", must, any, kSection, stimulus, octets,
       "CreditsRequested is the total number of credits that the sender wants, including those already granted.",
       "SMBD/A37: a violation is a warning, as the target may change",
       {{credits_requested_zero, warning}, {requests_what_is_missing, warning}}},
      {"SMBD-2.2.3-2", must, any, kSection, stimulus, octets,
       "A receiver adds CreditsGranted to the credits that it has.", {},
       {grants_without_receives, messages_altered, grant_is_total, negotiates_again, delivers_nothing,
        grant_replaces_credits, {remaining_zero_early, initiator}, {data_offset_beyond, listener},
        {data_sum_wraps, listener}, {remaining_at_end, listener}, {grants_nothing, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-2.2.3-3", must, any, kSection, trace, octets,
       "A sender sets CreditsRequested of a Data Transfer to at least 1.",
       "SMBD/A37: 3.1.5.8 makes the receiver end the connection otherwise; no other value is judged",
       {credits_requested_zero}},
      {"SMBD-2.2.3-4", must, any, kSection, trace, octets,
       "A sender sets no bit in Flags except SMB_DIRECT_RESPONSE_REQUESTED; without that flag, Flags is zero.",
       "SMBD/A23: it is the sender's fault; a receiver may ignore other bits", {flags_undefined}},
      {"SMBD-2.2.3-5", must, any, kSection, stimulus, octets,
       "A receiver of SMB_DIRECT_RESPONSE_REQUESTED promptly sends a message.",
       "SMBD/A4, SMBD/A28; in a trace: SMBD-3.1.5.8-12",
       {refuses_empty_messages, keepalive_unanswered, {ignores_granted_credits, listener}}},
      {"SMBD-2.2.3-6", should, any, kSection, trace, octets,
       "A sender sets Reserved of a message with payload to zero.",
       "SMBD/A3: it is a MUST in an empty message, SMBD-3.1.5.4-3", {segment_reserved_set}},
      {"SMBD-2.2.3-7", must, any, kSection, stimulus, octets,
       "A receiver ignores Reserved of a Data Transfer.", {},
       {{data_before_response, initiator}, refuses_reserved_bits}},
      {"SMBD-2.2.3-8", must, any, kSection, trace, octets,
       "The payload begins after the 20 octets of the header.",
       "SMBD/A19: it is the sender's fault; what a receiver does then is not judged",
       {data_offset_in_header, data_offset_zero}},
      {"SMBD-2.2.3-9", must, any, kSection, none, octets,
       "A sender sets DataOffset to zero if there is no payload.", "Judged by SMBD-3.1.5.4-5"},
      {"SMBD-2.2.3-10", must, any, kSection, none, octets,
       "A sender sets DataOffset to a multiple of 8.", "Judged by SMBD-3.1.5.4-9"},
      {"SMBD-2.2.3-11", must, any, kSection, none, octets,
       "A sender sets DataLength to zero if there is no payload.", "Judged by SMBD-3.1.5.4-6"},
      {"SMBD-2.2.3-12", must, any, kSection, trace, octets,
       "DataOffset and DataLength describe octets inside the message.", "The sum does not wrap: S-01",
       {data_offset_beyond, data_length_beyond, data_sum_wraps}},
      {"SMBD-2.2.3-13", must, any, kSection, stimulus, octets,
       "A receiver passes a reassembled message up when a segment has RemainingDataLength zero.", {},
       {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond, data_sum_wraps, data_altered,
        data_before_response, delivers_nothing, fragments_left_behind, begins_with_fragments,
        {data_length_short, listener}, {remaining_at_end, listener}, {negotiates_again, listener}}},
      {"SMBD-2.2.3-14", must, any, kSection, stimulus, octets,
       "A receiver passes nothing up while RemainingDataLength is not zero.", {},
       {{data_before_response, initiator}, delivers_fragments}},
      {"SMBD-2.2.3-15", should, any, kSection, none, octets,
       "A sender sets Padding to zero.", "SMBD/A2: a MUST in 3.1.5.4; judged by SMBD-3.1.5.4-19"},
      {"SMBD-2.2.3-16", must, any, kSection, stimulus, octets,
       "A receiver ignores the value of Padding.", "SMBD/A2", {{data_before_response, initiator}, refuses_padding}},
      {"SMBD-2.2.3-17", must, any, kSection, stimulus, octets,
       "A receiver accepts Padding of any length that DataOffset gives it, not only 4 octets.", "SMBD/A1",
       {{data_before_response, initiator}, receives_small, refuses_unusual_offset, refuses_trailing_data,
        delivers_fragments, takes_data_from_24}},
      {"SMBD-2.2.3-18", may, any, kSection, stimulus, octets,
       "A sender may send a message without payload to grant credits, to request them, or as a keep-alive.", {},
       {{data_before_response, initiator}, refuses_empty_messages}},
      {"SMBD-2.2.3-19", must, any, kSection, stimulus, octets,
       "A receiver takes as payload exactly the octets that DataOffset and DataLength describe.", {},
       {receives_small, refuses_unusual_offset, refuses_trailing_data, delivers_fragments, takes_data_from_24}},
      {"SMBD-2.2.3-20", must, any, kSection, trace, octets,
       "A Data Transfer has all its fields: it is at least 20 octets long.", "From 3.1.5.8", {data_short}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::DataTransferRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::DataTransferRules, I> {
};
