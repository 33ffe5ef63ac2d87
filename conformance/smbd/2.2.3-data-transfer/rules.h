// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct DataTransferRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 2.2.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-2.2.3-1", must, any, kSection, stimulus, octets,
       "CreditsRequested is the number of credits wanted in all, those already granted included.", {},
       {{credits_requested_zero, warning}, {requests_what_is_missing, warning}}},
      {"SMBD-2.2.3-2", must, any, kSection, stimulus, octets,
       "CreditsGranted is added to the credits that the receiver has.", {},
       {grants_without_receives, messages_altered, grant_is_total, negotiates_again, delivers_nothing,
        grant_replaces_credits, {remaining_zero_early, initiator}, {data_offset_beyond, listener},
        {data_sum_wraps, listener}, {remaining_at_end, listener}, {grants_nothing, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-2.2.3-3", must, any, kSection, trace, octets,
       "CreditsRequested is not zero.",
       "SMBD/A37: by 3.1.5.8, which has the receiver end the connection otherwise; no other value is judged",
       {credits_requested_zero}},
      {"SMBD-2.2.3-4", must, any, kSection, trace, octets,
       "Flags holds no bit but SMB_DIRECT_RESPONSE_REQUESTED, and is zero where that is not meant.",
       "SMBD/A23: a sender's fault; a receiver may pass it over", {flags_undefined}},
      {"SMBD-2.2.3-5", must, any, kSection, stimulus, octets,
       "Who receives SMB_DIRECT_RESPONSE_REQUESTED promptly sends a message.",
       "SMBD/A4, SMBD/A28; in a trace: SMBD-3.1.5.8-12",
       {refuses_empty_messages, keepalive_unanswered, {ignores_granted_credits, listener}}},
      {"SMBD-2.2.3-6", should, any, kSection, trace, octets,
       "Reserved of a message with payload is zero.", "SMBD/A3: of an empty message it is a MUST, SMBD-3.1.5.4-3",
       {segment_reserved_set}},
      {"SMBD-2.2.3-7", must, any, kSection, stimulus, octets,
       "Reserved is ignored on receipt.", {}, {{data_before_response, initiator}, refuses_reserved_bits}},
      {"SMBD-2.2.3-8", must, any, kSection, trace, octets,
       "The payload begins behind the 20 octets of the header.",
       "SMBD/A19: a sender's fault; what a receiver makes of it is not judged",
       {data_offset_in_header, data_offset_zero}},
      {"SMBD-2.2.3-9", must, any, kSection, none, octets,
       "DataOffset is zero where there is no payload.", "judged by SMBD-3.1.5.4-5"},
      {"SMBD-2.2.3-10", must, any, kSection, none, octets,
       "DataOffset is a multiple of 8.", "judged by SMBD-3.1.5.4-9"},
      {"SMBD-2.2.3-11", must, any, kSection, none, octets,
       "DataLength is zero where there is no payload.", "judged by SMBD-3.1.5.4-6"},
      {"SMBD-2.2.3-12", must, any, kSection, trace, octets,
       "DataOffset and DataLength name octets of the message.", "the sum does not wrap: S-01",
       {data_offset_beyond, data_length_beyond, data_sum_wraps}},
      {"SMBD-2.2.3-13", must, any, kSection, stimulus, octets,
       "RemainingDataLength zero marks the last message of a sequence: what was put together is passed on then.", {},
       {data_big_endian, data_offset_in_header, data_offset_zero, data_offset_beyond, data_sum_wraps, data_altered,
        data_before_response, delivers_nothing, fragments_left_behind, begins_with_fragments,
        {data_length_short, listener}, {remaining_at_end, listener}, {negotiates_again, listener}}},
      {"SMBD-2.2.3-14", must, any, kSection, stimulus, octets,
       "RemainingDataLength other than zero says that the sequence goes on: nothing is passed on before its end.", {},
       {{data_before_response, initiator}, delivers_fragments}},
      {"SMBD-2.2.3-15", should, any, kSection, none, octets,
       "Padding is sent as zero.", "SMBD/A2: a MUST in 3.1.5.4; judged by SMBD-3.1.5.4-19"},
      {"SMBD-2.2.3-16", must, any, kSection, stimulus, octets,
       "Padding is ignored on receipt.", "SMBD/A2", {{data_before_response, initiator}, refuses_padding}},
      {"SMBD-2.2.3-17", must, any, kSection, stimulus, octets,
       "Padding ends where DataOffset says, be it 4 octets long or not.", "SMBD/A1",
       {{data_before_response, initiator}, receives_small, refuses_unusual_offset, refuses_trailing_data,
        delivers_fragments, takes_data_from_24}},
      {"SMBD-2.2.3-18", may, any, kSection, stimulus, octets,
       "A message without payload grants credits, asks for them, or keeps the connection alive.", {},
       {{data_before_response, initiator}, refuses_empty_messages}},
      {"SMBD-2.2.3-19", must, any, kSection, stimulus, octets,
       "The payload is what DataOffset and DataLength name, and nothing else.", {},
       {receives_small, refuses_unusual_offset, refuses_trailing_data, delivers_fragments, takes_data_from_24}},
      {"SMBD-2.2.3-20", must, any, kSection, trace, octets,
       "The message holds all of its fields: 20 octets at least.", "by 3.1.5.8", {data_short}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::DataTransferRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::DataTransferRules, I> {
};
