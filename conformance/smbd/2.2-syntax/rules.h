// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct SyntaxRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 2.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-2.2-1", must, any, kSection, stimulus, octets,
       "The first two messages of a connection are the Negotiate Request and the Negotiate Response.",
       "A sender that begins otherwise is judged by SMBD-2.2.1-1 and SMBD-2.2.2-1; cases judge what a receiver does "
       "then",
       {{data_before_response, initiator}, request_short, request_version_two, request_big_endian, request_twice,
        request_missing, data_before_request, accepts_failure_status, bad_negotiation_ignored}},
      {"SMBD-2.2-2", must, any, kSection, trace, octets,
       "The initiator sends one Negotiate Request and the listener one Negotiate Response on a connection.", {},
       {request_twice, response_twice, response_behind_data, negotiates_again}},
      {"SMBD-2.2-3", must, any, kSection, stimulus, octets,
       "After the negotiation, both sides may send Data Transfer messages whenever they have credits.", {},
       {{receives_small, listener}, {fragment_missing, initiator}, no_message_arrives,
        response_credits_granted_unposted, response_big_endian, fragments_swapped, fragment_repeated, grants_unposted,
        grant_is_total, request_twice, data_before_response, response_twice, negotiates_again, delivers_fragments,
        fragments_left_behind, refuses_empty_messages, ignores_granted_credits, grant_replaces_credits,
        queue_not_restarted, {empty_length_set, listener}, {remaining_at_end, listener},
        {remaining_zero_early, listener}, {fragment_missing, listener}}},
      {"SMBD-2.2-4", must, any, kSection, trace, octets,
       "A sender sends fields of several octets in little-endian order.", {},
       {request_big_endian, response_big_endian, data_big_endian}},
      {"SMBD-2.2-5", must, any, kSection, stimulus, octets,
       "A receiver reads numbers as unsigned: a length with its highest bit set is large, not negative.",
       "S-03 of the known defects",
       {lengths_signed, sizes_signed, no_message_arrives, response_short, response_status_not_zero, response_twice,
        response_missing, response_behind_data, accepts_data_beyond, offset_not_checked, accepts_too_much_announced,
        ignores_bad_messages, hangs_on_bad_message, {remaining_at_end, listener}, {negotiates_again, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-2.2-6", must, any, kSection, stimulus, octets,
       "A receiver ignores the value of a Reserved field.", "SMBD/A3",
       {no_message_arrives, response_short, response_status_not_zero, response_twice, response_missing,
        response_behind_data, refuses_reserved_bits, {remaining_at_end, listener}, {negotiates_again, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-2.2-7", must_not, any, kSection, none, octets,
       "An implementation does not use a Reserved field for purposes of its own.",
       "Octets show that a field is not zero, but not why: SMBD-3.1.5.2-3, 3.1.5.3-3, 3.1.5.4-3 and 2.2.3-6 judge the "
       "value"},
      {"SMBD-2.2-8", should, any, kSection, trace, octets,
       "A sender sets octets that it adds after a message for alignment to zero.",
       "SMBD/A20 and SMBD/A21: a receiver accepts such octets. A breach is a warning, since their purpose cannot be "
       "seen",
       {{request_trailing_not_zero, warning}, {response_trailing_not_zero, warning}, {data_length_short, warning},
        {trailing_not_zero, warning}}},
      {"SMBD-2.2-9", must, any, kSection, stimulus, octets,
       "A receiver ignores octets after the end of a message.", "SMBD/A20, SMBD/A21",
       {no_message_arrives, receives_small, data_before_response, response_twice, refuses_trailing_data,
        {refuses_trailing_octets, initiator}, {first_receive_small, initiator}, {remaining_at_end, listener},
        {negotiates_again, listener}, {ignores_granted_credits, listener}}},
      {"SMBD-2.2-10", must, any, kSection, stimulus, octets,
       "A receiver takes the length of a message, which varies with type and payload, from the transport.", {},
       {receives_small, refuses_trailing_data, delivers_fragments, {no_message_arrives, initiator},
        {refuses_trailing_octets, initiator}, {first_receive_small, initiator}}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::SyntaxRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::SyntaxRules, I> {
};
