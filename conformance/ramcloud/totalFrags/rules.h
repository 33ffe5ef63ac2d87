// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct TotalFragsRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, totalFrags";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-totalFrags-1", must, any, kSection, trace, octets,
       "A sender sets totalFrags of a DATA packet to at least 1. An empty message is one empty fragment.",
       "RAMCLOUD/R20", {total_frags_zero_in_response, total_frags_zero}},
      {"RAMCLOUD-totalFrags-2", must, any, kSection, trace, octets,
       "A sender uses the same totalFrags in all fragments of a message, including repeated ones.", "RAMCLOUD/R33",
       {total_frags_changes}},
      {"RAMCLOUD-totalFrags-3", must_not, server, kSection, trace, absence,
       "A server does not respond before the client has sent every fragment of the request.", "RAMCLOUD/R35",
       {response_before_request_complete, response_for_incomplete_after_ack, please_drop_ignored}},
      {"RAMCLOUD-totalFrags-4", must, server, kSection, stimulus, octets,
       "A server neither completes nor corrupts a request because of a fragment with another totalFrags.",
       "RAMCLOUD/R33",
       {total_mismatch_accepted, response_before_request_complete, duplicate_fragment_appended,
        response_for_incomplete_after_ack}},
      {"RAMCLOUD-totalFrags-5", must, server, kSection, stimulus, octets,
       "A server does not execute a request with totalFrags 0, and keeps working.", "RAMCLOUD/R20, RAMCLOUD/R45",
       {sessions_share_channels, {total_zero_executed, warning}, {frag_number_beyond_total_stored, warning},
        {sessions_share_channels, warning}}},
      {"RAMCLOUD-totalFrags-6", must, client, kSection, stimulus, octets,
       "A client does not accept a response that lacks a fragment as complete.", {},
       {partial_response_accepted, wrong_rpc_response_accepted, duplicate_response_fragment_appended,
        response_reorder_not_tolerated}},
      {"RAMCLOUD-totalFrags-7", must, client, kSection, stimulus, octets,
       "A client neither completes nor corrupts a response because of a fragment with another totalFrags.",
       "RAMCLOUD/R33",
       {partial_response_accepted, ack_five_octets, ack_first_missing_beyond_total, ack_claims_unreceived,
        ack_bits_beyond_total, duplicate_response_fragment_appended}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::TotalFragsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::TotalFragsRules, I> {
};
