// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.2: the upper layer sends a message.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct SendRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.4.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.4.2-1", must, any, kSection, api, octets,
       "Before it sends a message, a sender compares its length with MaxFragmentedSendSize.",
       "The upper layer sees it; on the wire: SMBD-3.1.5.4-2", {message_above_fragmented_size}},
      {"SMBD-3.1.4.2-2", must, any, kSection, stimulus, octets,
       "A sender sends no part of a message longer than MaxFragmentedSendSize.", "In a trace: SMBD-3.1.5.4-2",
       {data_offset_in_header, data_offset_zero, message_above_fragmented_size, request_twice, data_before_response,
        response_twice, negotiates_again}},
      {"SMBD-3.1.4.2-3", must, any, kSection, api, octets,
       "A sender returns an error for a message longer than MaxFragmentedSendSize.", "The upper layer sees it",
       {message_above_fragmented_size}},
      {"SMBD-3.1.4.2-4", must, any, kSection, stimulus, octets,
       "A sender sends the fragments of a message one after another, in order.", "In a trace: SMBD-3.1.5.4-17 and -23",
       {data_altered, fragments_swapped, {receives_small, initiator}, {delivers_fragments, initiator},
        {begins_with_fragments, initiator}}},
      {"SMBD-3.1.4.2-5", must, any, kSection, stimulus, octets,
       "A Send that fails ends the connection.", "SMBD/A46", {endpoint_left_open}},
      {"SMBD-3.1.4.2-6", must, any, kSection, api, octets,
       "A sender passes the RDMA provider's result of the Send to the upper layer.", "The upper layer sees it",
       {send_result_lost, {refuses_empty_messages, listener}, {ignores_granted_credits, listener},
        {queue_not_restarted, listener}}},
      {"SMBD-3.1.4.2-7", must, any, kSection, api, octets,
       "A sender invalidates at the peer the token that the upper layer gives with a message.",
       "Needs an upper layer that gives one; in a trace: SMBD/A47",
       {segment_above_receive_size, request_twice, data_before_response, invalidates_nothing, invalidates_other_token,
        {negotiates_again, initiator}, {refuses_empty_messages, listener}, {ignores_granted_credits, listener},
        {queue_not_restarted, listener}}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::SendRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::SendRules, I> {
};
