// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct FragNumberRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, fragNumber";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-fragNumber-1", must, any, kSection, trace, octets,
       "Fragments are numbered from 0, so that every number is below totalFrags.", {}, {frag_number_from_one}},
      {"RAMCLOUD-fragNumber-2", must, server, kSection, stimulus, octets,
       "The fragments of a response are numbered from 0 to totalFrags - 1, and each of them is sent.", {},
       {total_frags_changes}},
      {"RAMCLOUD-fragNumber-3", must, server, kSection, stimulus, octets,
       "The server puts the fragments of a request together by number, whatever their order and however often.", {},
       {duplicate_fragment_appended, reorder_not_tolerated, response_before_request_complete, sessions_share_channels}},
      {"RAMCLOUD-fragNumber-4", must, server, kSection, stimulus, octets,
       "A fragment number that is not below totalFrags neither completes nor spoils a request.", "RAMCLOUD/R45",
       {response_before_request_complete, sessions_share_channels, {frag_number_beyond_total_stored, warning},
        {duplicate_fragment_appended, warning}, {sessions_share_channels, warning}}},
      {"RAMCLOUD-fragNumber-5", must, any, kSection, trace, octets,
       "A number names one fragment of a message: whenever it is sent, its data are the same.", {},
       {retransmit_differs, resend_differs, old_rpc_executed, re_executes_duplicate}},
      {"RAMCLOUD-fragNumber-6", must, client, kSection, stimulus, octets,
       "The client puts the fragments of a response together by number, whatever their order and however often.", {},
       {duplicate_response_fragment_appended, response_reorder_not_tolerated, partial_response_accepted}},
      {"RAMCLOUD-fragNumber-7", must, client, kSection, stimulus, octets,
       "A fragment number that is not below totalFrags neither completes nor spoils a response.", "RAMCLOUD/R45",
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
