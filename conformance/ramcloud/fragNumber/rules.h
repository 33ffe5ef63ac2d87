// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct FragNumberRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, fragNumber";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-fragNumber-1", must, any, kSection, trace, octets,
       "A sender numbers the fragments of a message from 0, so that every number is below totalFrags.", {},
       {frag_number_from_one}},
      {"RAMCLOUD-fragNumber-2", must, server, kSection, stimulus, octets,
       "A server numbers the fragments of a response from 0 to totalFrags - 1, and sends each of them.", {},
       {total_frags_changes}},
      {"RAMCLOUD-fragNumber-3", must, server, kSection, stimulus, octets,
       "A server reassembles the fragments of a request by number, even if they arrive out of order or repeatedly.",
       {}, {duplicate_fragment_appended, reorder_not_tolerated, response_before_request_complete,
        sessions_share_channels}},
      {"RAMCLOUD-fragNumber-4", must, server, kSection, stimulus, octets,
       "A server neither completes nor corrupts a request because of a fragment number that is not below totalFrags.",
       "RAMCLOUD/R45",
       {response_before_request_complete, sessions_share_channels, {frag_number_beyond_total_stored, warning},
        {duplicate_fragment_appended, warning}, {sessions_share_channels, warning}}},
      {"RAMCLOUD-fragNumber-5", must, any, kSection, trace, octets,
       "A sender uses each number for one fragment of a message, with the same data whenever it sends the fragment.",
       {}, {retransmit_differs, resend_differs, old_rpc_executed, re_executes_duplicate}},
      {"RAMCLOUD-fragNumber-6", must, client, kSection, stimulus, octets,
       "A client reassembles the fragments of a response by number, even if they arrive out of order or repeatedly.",
       {}, {duplicate_response_fragment_appended, response_reorder_not_tolerated, partial_response_accepted}},
      {"RAMCLOUD-fragNumber-7", must, client, kSection, stimulus, octets,
       "A client neither completes nor corrupts a response because of a fragment number that is not below totalFrags.",
       "RAMCLOUD/R45",
       {response_beyond_end_taken, {partial_response_accepted, warning},
        {duplicate_response_fragment_appended, warning}}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::FragNumberRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::FragNumberRules, I> {
};
