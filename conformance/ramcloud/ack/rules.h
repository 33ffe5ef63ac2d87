// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct AckRules : Words {
  static constexpr std::string_view kFormat = "RAMCloud RPC, Acknowledgement Response Payload Format";
  static constexpr std::string_view kFirstMissingFrag = "RAMCloud RPC, firstMissingFrag";
  static constexpr std::string_view kStagingVector = "RAMCloud RPC, stagingVector";
  static constexpr std::string_view kPtAck = "RAMCloud RPC, PT_ACK";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-ack-1", must, any, kFormat, trace, octets,
       "An ACK contains firstMissingFrag and stagingVector, packed into six octets.", "RAMCLOUD/R2", {ack_five_octets}},
      {"RAMCLOUD-ack-2", must, any, kFormat, trace, octets,
       "An ACK has no octets after stagingVector.", "RAMCLOUD/R2, RAMCLOUD/R31",
       {ack_seven_octets, ack_eight_octets_padded}},
      {"RAMCLOUD-ack-3", must, any, kFirstMissingFrag, trace, octets,
       "firstMissingFrag of an ACK is at most totalFrags of the message that it acknowledges.", {},
       {ack_first_missing_beyond_total, frag_number_beyond_total_stored, total_zero_executed,
        total_zero_acknowledged, {ack_wrong_channel, server}}},
      {"RAMCLOUD-ack-4", must, any, kFirstMissingFrag, trace, absence,
       "Every fragment below firstMissingFrag of an ACK has been sent before the ACK.", {},
       {ack_first_missing_not_lowest, please_drop_ignored, {ack_claims_unreceived, client}}},
      {"RAMCLOUD-ack-5", must, any, kStagingVector, trace, absence,
       "Every fragment that stagingVector reports has been sent before the ACK. Bit i is fragment firstMissingFrag + "
       "1 + i.", "RAMCLOUD/R17",
       {ack_claims_unreceived, ack_eight_octets_padded, ack_staging_off_by_one, ack_staging_bits_reversed,
        wrong_rpc_response_accepted}},
      {"RAMCLOUD-ack-6", must, server, kFormat, trace, octets,
       "A server sets firstMissingFrag of an ACK to the lowest fragment that it has not received.", {},
       {response_before_request_complete, duplicate_fragment_appended, reorder_not_tolerated,
        ack_bits_beyond_total, response_for_incomplete_after_ack, wrong_acks, re_executes_duplicate}},
      {"RAMCLOUD-ack-7", must, server, kFormat, stimulus, octets,
       "A server sets bit i of stagingVector if and only if it has fragment firstMissingFrag + 1 + i.", "RAMCLOUD/R17",
       {duplicate_fragment_appended, reorder_not_tolerated, response_for_incomplete_after_ack, wrong_acks}},
      {"RAMCLOUD-ack-8", must_not, any, kStagingVector, trace, absence,
       "stagingVector reports no fragment beyond the last one of the message, unless such a fragment was sent.",
       "RAMCLOUD/R41",
       {ack_bits_beyond_total, ack_eight_octets_padded, ack_claims_unreceived, ack_staging_off_by_one,
        ack_staging_bits_reversed}},
      {"RAMCLOUD-ack-9", must, any, kPtAck, trace, absence,
       "An ACK has the channel and rpcId of a message of which a fragment has been sent. A client that waits for a "
       "response may report that it has nothing of it.", "RAMCLOUD/R15, RAMCLOUD/R16", {ack_wrong_rpc, ack_wrong_channel}},
      {"RAMCLOUD-ack-11", must, server, kFormat, stimulus, octets,
       "A server ignores an ACK that is beyond the end of a response, or beyond what it has sent of it.",
       "RAMCLOUD/R45",
       {ack_past_end_dies, sessions_share_channels, {ack_past_end_dies, warning}, {ignores_unsolicited_ack, warning},
        {retransmit_differs, warning}}},
      {"RAMCLOUD-ack-12", must, server, kFormat, stimulus, octets,
       "A server ignores an ACK of fewer than six octets.", {}, {short_ack_dies}},
      {"RAMCLOUD-ack-13", should, server, kPtAck, trace, absence,
       "A server sends an ACK in answer to a fragment that asks for it.", "RAMCLOUD/R16",
       {{ack_unasked, warning}, {ack_wrong_channel, warning}}},
      {"RAMCLOUD-ack-14", must, client, kFormat, trace, octets,
       "A client sets firstMissingFrag of an ACK to the lowest fragment that it has not received.", {},
       {ack_bits_beyond_total, partial_response_accepted, wrong_rpc_response_accepted,
        duplicate_response_fragment_appended, response_reorder_not_tolerated, wrong_acks}},
      {"RAMCLOUD-ack-15", must, client, kFormat, stimulus, octets,
       "A client sets bit i of stagingVector if and only if it has fragment firstMissingFrag + 1 + i.", "RAMCLOUD/R17",
       {partial_response_accepted, duplicate_response_fragment_appended, response_reorder_not_tolerated, wrong_acks}},
      {"RAMCLOUD-ack-16", must, client, kFormat, stimulus, octets,
       "A client ignores an ACK that is beyond the end of a request, or beyond what it has sent of it.",
       "RAMCLOUD/R45",
       {partial_response_accepted, {ack_past_end_dies, warning}, {big_endian_header, warning},
        {frag_number_from_one, warning}, {total_frags_changes, warning}, {token_not_used, warning},
        {client_hint_changes, warning}, {total_frags_zero, warning}}},
      {"RAMCLOUD-ack-17", must, client, kFormat, stimulus, octets,
       "A client ignores an ACK of fewer than six octets.", {},
       {short_ack_dies, big_endian_header, frag_number_from_one, total_frags_changes, client_hint_changes,
        total_frags_zero, partial_response_accepted}},
      {"RAMCLOUD-ack-18", must, server, kFormat, stimulus, octets,
       "A server keeps working after an ACK of more than six octets.", "RAMCLOUD/R31", {long_ack_dies}},
      {"RAMCLOUD-ack-19", must, server, kFormat, stimulus, octets,
       "A server completes a request even if fragments came first that no stagingVector can report.", "RAMCLOUD/R18",
       {reorder_not_tolerated, duplicate_fragment_appended}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::AckRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::AckRules, I> {
};
