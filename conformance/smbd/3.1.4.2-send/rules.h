// SPDX-License-Identifier: Apache-2.0
// [MS-SMBD], section 3.1.4.2: an upper layer sends.
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct SendRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.4.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.4.2-1", must, any, kSection, api, octets,
       "The length of a message is compared with MaxFragmentedSendSize before it is sent.",
       "the upper layer sees it; on the wire: SMBD-3.1.5.4-2", {message_above_fragmented_size}},
      {"SMBD-3.1.4.2-2", must, any, kSection, stimulus, octets,
       "No part of a message that is too long is sent.", "in a trace: SMBD-3.1.5.4-2",
       {data_offset_in_header, data_offset_zero, message_above_fragmented_size, request_twice, data_before_response,
        response_twice, negotiates_again}},
      {"SMBD-3.1.4.2-3", must, any, kSection, api, octets,
       "A message that is too long gives an error.", "the upper layer sees it", {message_above_fragmented_size}},
      {"SMBD-3.1.4.2-4", must, any, kSection, stimulus, octets,
       "The fragments of a message are sent one after another, in their order.",
       "in a trace: SMBD-3.1.5.4-17 and -23",
       {data_altered, fragments_swapped, {receives_small, initiator}, {delivers_fragments, initiator},
        {begins_with_fragments, initiator}}},
      {"SMBD-3.1.4.2-5", must, any, kSection, stimulus, octets,
       "A Send that fails ends the connection.", "SMBD/A46", {endpoint_left_open}},
      {"SMBD-3.1.4.2-6", must, any, kSection, api, octets,
       "What the provider said of the Send is passed to the upper layer.", "the upper layer sees it",
       {send_result_lost, {refuses_empty_messages, listener}, {ignores_granted_credits, listener},
        {queue_not_restarted, listener}}},
      {"SMBD-3.1.4.2-7", must, any, kSection, api, octets,
       "A token that the upper layer gives with a message is invalidated at the peer.",
       "needs an upper layer that gives one; in a trace: SMBD/A47",
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
