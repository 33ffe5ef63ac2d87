// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct ReceivingResponseRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.7";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.7-1", must, initiator, kSection, stimulus, octets,
       "A response of fewer than 32 octets ends the connection.", {},
       {{data_before_response, initiator}, request_twice, accepts_short_negotiation, bad_negotiation_ignored}},
      {"SMBD-3.1.5.7-2", must, initiator, kSection, stimulus, octets,
       "A NegotiatedVersion other than 0x0100 ends the connection.", {},
       {{data_before_response, initiator}, request_twice, accepts_any_version, bad_negotiation_ignored}},
      {"SMBD-3.1.5.7-3", must, initiator, kSection, stimulus, octets,
       "A MaxReceiveSize below 128 ends the connection.", {},
       {no_message_arrives, request_twice, data_before_response, accepts_small_receive_size, bad_negotiation_ignored}},
      {"SMBD-3.1.5.7-4", must, initiator, kSection, stimulus, octets,
       "A MaxFragmentedSize below 131,072 ends the connection.", {},
       {no_message_arrives, request_twice, data_before_response, accepts_small_fragmented_size,
        bad_negotiation_ignored}},
      {"SMBD-3.1.5.7-5", must, initiator, kSection, stimulus, octets,
       "CreditsGranted of zero ends the connection.", {},
       {no_message_arrives, data_short, grants_unposted, request_twice, data_before_response, negotiates_again,
        accepts_no_grant, bad_negotiation_ignored, ignores_granted_credits}},
      {"SMBD-3.1.5.7-6", must, initiator, kSection, stimulus, octets,
       "CreditsRequested of zero ends the connection.", {},
       {no_message_arrives, data_short, grants_unposted, request_twice, data_before_response, negotiates_again,
        accepts_no_credits, bad_negotiation_ignored, ignores_granted_credits}},
      {"SMBD-3.1.5.7-7", must, initiator, kSection, stimulus, octets,
       "A PreferredSendSize above the initiator's MaxReceiveSize ends the connection.", {},
       {no_message_arrives, request_receive_size_low, request_big_endian, request_twice, data_before_response,
        accepts_large_preferred_size, bad_negotiation_ignored}},
      {"SMBD-3.1.5.7-8", must, initiator, kSection, stimulus, octets,
       "A Status other than zero ends the connection.", {},
       {{data_before_response, initiator}, request_twice, accepts_failure_status, bad_negotiation_ignored}},
      {"SMBD-3.1.5.7-9", must, initiator, kSection, trace, octets,
       "After a response of failure the initiator ends the connection: it sends no Data Transfer.", {},
       {accepts_failure_status}},
      {"SMBD-3.1.5.7-10", must, initiator, kSection, api, octets,
       "Such a failure is returned to the upper layer.", "the upper layer sees it",
       {accepts_failure_status, bad_negotiation_ignored, end_not_reported}},
      {"SMBD-3.1.5.7-11", must, initiator, kSection, stimulus, octets,
       "The connection is of version 0x0100.", {},
       {no_message_arrives, request_min_version_zero, request_max_version_two, request_version_two,
        request_max_below_min, request_big_endian, data_before_request}},
      {"SMBD-3.1.5.7-12", must, initiator, kSection, stimulus, octets,
       "CreditsRequested is the target for what the initiator grants.", {},
       {no_message_arrives, data_short, grants_unposted, request_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.5.7-13", must, initiator, kSection, stimulus, octets,
       "MaxReceiveSize is lowered to the listener's PreferredSendSize.", {},
       {no_message_arrives, request_big_endian, fragments_swapped, fragment_repeated, fragment_missing,
        grants_nothing, receives_small, delivers_fragments, grant_replaces_credits}},
      {"SMBD-3.1.5.7-14", must, initiator, kSection, stimulus, octets,
       "It is not lowered below 128.", {},
       {no_message_arrives, fragments_swapped, fragment_repeated, fragment_missing, grants_nothing, receives_small,
        receive_size_below_128, delivers_fragments, grant_replaces_credits}},
      {"SMBD-3.1.5.7-15", must, initiator, kSection, stimulus, octets,
       "MaxSendSize becomes the smaller of the initiator's own and the listener's MaxReceiveSize.",
       "in a trace: SMBD-3.1.5.4-12; S-06",
       {sizes_signed, no_message_arrives, data_length_beyond, segment_above_receive_size, request_twice,
        negotiates_again}},
      {"SMBD-3.1.5.7-16", must, initiator, kSection, api, octets,
       "MaxReadWriteSize becomes the smaller of the initiator's own limit and the listener's.",
       "3.1.4.7 returns it to the upper layer", {transfer_ignores_lengths, transfer_above_agreed}},
      {"SMBD-3.1.5.7-17", must, initiator, kSection, stimulus, octets,
       "CreditsGranted is what the initiator may send at first.", "in a trace: SMBD-3.1.5.1-3",
       {no_message_arrives, data_short, grants_unposted, request_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.5.7-18", must, initiator, kSection, stimulus, octets,
       "MaxFragmentedSendSize becomes the listener's MaxFragmentedSize.", "in a trace: SMBD-3.1.5.4-2",
       {sizes_signed, no_message_arrives, remaining_zero_early, fragment_missing, message_above_fragmented_size,
        data_before_response}},
      {"SMBD-3.1.5.7-19", must, initiator, kSection, stimulus, octets,
       "Receives are posted and counted as credits.", {},
       {no_message_arrives, data_short, grants_unposted, request_twice, negotiates_again, refuses_empty_messages,
        grant_replaces_credits}},
      {"SMBD-3.1.5.7-20", must, initiator, kSection, api, octets,
       "Where none can be posted the connection is ended.", "needs a provider that is short of receives"},
      {"SMBD-3.1.5.7-21", must, initiator, kSection, api, octets,
       "Where none can be posted an error is returned.", "the upper layer sees it"},
      {"SMBD-3.1.5.7-22", must, initiator, kSection, stimulus, octets,
       "The Negotiation Timer is stopped: it does not end an established connection.", {},
       {messages_altered, data_big_endian, data_short, negotiation_timer_not_stopped, delivers_nothing,
        refuses_empty_messages, keepalive_without_flag, idle_timer_not_restarted}},
      {"SMBD-3.1.5.7-23", must, initiator, kSection, stimulus, octets,
       "The idle timer is set to the keep-alive interval.", {},
       {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, keepalive_not_sent,
        keepalive_without_flag}},
      {"SMBD-3.1.5.7-24", must, initiator, kSection, stimulus, octets,
       "The role becomes ESTABLISHED: Data Transfers are expected.", {},
       {no_message_arrives, request_max_version_two, request_version_two, request_max_below_min, request_big_endian,
        data_before_request}},
      {"SMBD-3.1.5.7-25", must, initiator, kSection, api, octets,
       "Success is returned to the upper layer.", "the upper layer sees it", {arrival_not_reported}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::ReceivingResponseRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::ReceivingResponseRules, I> {
};
