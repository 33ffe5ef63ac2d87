// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct CreditsRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.9";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.9-1", must, any, kSection, stimulus, octets,
       "A sender manages credits before it sends each message.", {},
       {grants_without_receives, {negotiates_again, initiator}, {grants_nothing, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.9-2", should, any, kSection, trace, absence,
       "If the peer has as many credits as it wants, a sender grants it none.",
       "SMBD/A9, SMBD/A10: except in a message that spends the last credit. Grants that may be on their way count for "
       "the sender",
       {{response_big_endian, warning}, response_credits_granted_unposted, grants_unposted, grants_above_target,
        grants_at_target, grant_is_total, {response_credits_granted_unposted, warning}, {grants_unposted, warning},
        {grants_above_target, warning}, {grants_at_target, warning}, {grant_is_total, warning},
        {request_twice, warning}, fragment_missing, grant_replaces_credits, {data_big_endian, listener},
        {ignores_requested_credits, listener}, {negotiates_again, initiator, warning}}},
      {"SMBD-3.1.5.9-3", may, any, kSection, none, octets,
       "A sender may lower ReceiveCreditTarget if the peer has as many credits as it wants.",
       "A local value; it only makes grants smaller, which is permitted anyway"},
      {"SMBD-3.1.5.9-4", must, any, kSection, stimulus, octets,
       "A sender posts a receive of MaxReceiveSize octets for each credit that it grants.", {},
       {no_message_arrives, fragments_swapped, fragment_repeated, fragment_missing, receives_small,
        data_before_response, response_twice, delivers_fragments, fragments_left_behind, ignores_granted_credits,
        {remaining_at_end, listener}, {remaining_zero_early, listener}, {negotiates_again, listener}}},
      {"SMBD-3.1.5.9-5", must, any, kSection, trace, absence,
       "If the peer has no credit, a message grants it at least one.",
       "SMBD/A11; judged if the sender must have received the peer's latest message",
       {data_before_response, data_short, {grants_nothing, listener}, {begins_with_a_message, listener},
        {fragments_swapped, initiator}, {fragment_without_data, initiator}, {grants_nothing, initiator},
        {begins_with_a_message, initiator}}},
      {"SMBD-3.1.5.9-6", must, any, kSection, stimulus, octets,
       "A sender with one credit left and messages waiting posts at least one receive.",
       "SMBD/A10; in a trace: SMBD-3.1.5.1-6",
       {{fragment_missing, warning}, spends_without_credit, data_before_response,
        {last_credit_without_grant, initiator}}},
      {"SMBD-3.1.5.9-7", must, any, kSection, api, octets,
       "A sender that must post a receive but cannot sends no message.",
       "Needs an RDMA provider that is short of receives"},
      {"SMBD-3.1.5.9-8", should, any, kSection, trace, absence,
       "A sender grants no more credits in one message than the peer wants in total.", "SMBD/A9",
       {grants_unposted, grants_above_target, grant_is_total, {response_credits_granted_unposted, warning},
        {grants_unposted, warning}, {grants_above_target, warning}, {ignores_requested_credits, warning},
        {data_big_endian, listener, warning}, {data_big_endian, listener}}},
      {"SMBD-3.1.5.9-9", must, any, kSection, stimulus, octets,
       "A sender counts each receive that it posts as one credit.", {},
       {grants_without_receives, messages_altered, grant_is_total, negotiates_again, delivers_nothing,
        grant_replaces_credits, {data_offset_beyond, listener}, {data_sum_wraps, listener},
        {remaining_at_end, listener}, {grants_nothing, listener}, {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.9-10", should, any, kSection, stimulus, octets,
       "A sender tries to grant more credits if the peer has fewer than it wants.", "S-08",
       {grants_without_receives, ignores_requested_credits, {negotiates_again, initiator}, {grants_nothing, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.9-11", must, any, kSection, stimulus, octets,
       "A sender that grants more credits posts at least one receive.", {},
       {grants_without_receives, {negotiates_again, initiator}, {grants_nothing, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.9-12", must, any, kSection, stimulus, octets,
       "A sender that grants more credits posts at most ReceiveCreditMax receives.", "SMBD/A9; a local value",
       {response_twice, {no_message_arrives, listener}, {remaining_at_end, listener}, {negotiates_again, listener},
        {ignores_granted_credits, listener}}},
      {"SMBD-3.1.5.9-13", must, any, kSection, stimulus, octets,
       "A sender grants as many credits as it has posted receives: it receives as many messages.", {},
       {grants_without_receives, messages_altered, grant_is_total, negotiates_again, delivers_nothing,
        grant_replaces_credits, {data_offset_beyond, listener}, {data_sum_wraps, listener},
        {remaining_at_end, listener}, {grants_nothing, listener}, {ignores_granted_credits, listener}}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::CreditsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::CreditsRules, I> {
};
