// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct ReceivingResponseRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.7";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.7-1", must, initiator, kSection, stimulus, octets,
       "The initiator ends the connection if the response is shorter than 32 octets.", {},
       {{data_before_response, initiator}, request_twice, accepts_short_negotiation, bad_negotiation_ignored}},
      {"SMBD-3.1.5.7-2", must, initiator, kSection, stimulus, octets,
       "The initiator ends the connection if NegotiatedVersion is not 0x0100.", {},
       {{data_before_response, initiator}, request_twice, accepts_any_version, bad_negotiation_ignored}},
      {"SMBD-3.1.5.7-3", must, initiator, kSection, stimulus, octets,
       "The initiator ends the connection if MaxReceiveSize is below 128.", {},
       {no_message_arrives, request_twice, data_before_response, accepts_small_receive_size, bad_negotiation_ignored}},
      {"SMBD-3.1.5.7-4", must, initiator, kSection, stimulus, octets,
       "The initiator ends the connection if MaxFragmentedSize is below 131,072.", {},
       {no_message_arrives, request_twice, data_before_response, accepts_small_fragmented_size,
        bad_negotiation_ignored}},
      {"SMBD-3.1.5.7-5", must, initiator, kSection, stimulus, octets,
       "The initiator ends the connection if CreditsGranted is zero.", {},
       {no_message_arrives, data_short, grants_unposted, request_twice, data_before_response, negotiates_again,
        accepts_no_grant, bad_negotiation_ignored, ignores_granted_credits}},
      {"SMBD-3.1.5.7-6", must, initiator, kSection, stimulus, octets,
       "The initiator ends the connection if CreditsRequested is zero.", {},
       {no_message_arrives, data_short, grants_unposted, request_twice, data_before_response, negotiates_again,
        accepts_no_credits, bad_negotiation_ignored, ignores_granted_credits}},
      {"SMBD-3.1.5.7-7", must, initiator, kSection, stimulus, octets,
       "The initiator ends the connection if PreferredSendSize is above its own MaxReceiveSize.", {},
       {no_message_arrives, request_receive_size_low, request_big_endian, request_twice, data_before_response,
        accepts_large_preferred_size, bad_negotiation_ignored}},
      {"SMBD-3.1.5.7-8", must, initiator, kSection, stimulus, octets,
       "The initiator ends the connection if Status is not zero.", {},
       {{data_before_response, initiator}, request_twice, accepts_failure_status, bad_negotiation_ignored}},
      {"SMBD-3.1.5.7-9", must, initiator, kSection, trace, octets,
       "After a failure response, the initiator ends the connection and sends no Data Transfer.", {},
       {accepts_failure_status}},
      {"SMBD-3.1.5.7-10", must, initiator, kSection, api, octets,
       "The initiator returns such a failure to the upper layer.", "The upper layer sees it",
       {accepts_failure_status, bad_negotiation_ignored, end_not_reported}},
      {"SMBD-3.1.5.7-11", must, initiator, kSection, stimulus, octets,
       "The initiator sets Connection.Protocol to 0x0100.", {},
       {no_message_arrives, request_min_version_zero, request_max_version_two, request_version_two,
        request_max_below_min, request_big_endian, data_before_request}},
      {"SMBD-3.1.5.7-12", must, initiator, kSection, stimulus, octets,
       "The initiator takes CreditsRequested as the target for the credits that it grants.", {},
       {no_message_arrives, data_short, grants_unposted, request_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.5.7-13", must, initiator, kSection, stimulus, octets,
       "The initiator lowers its MaxReceiveSize to the listener's PreferredSendSize.", {},
       {no_message_arrives, request_big_endian, fragments_swapped, fragment_repeated, fragment_missing, grants_nothing,
        receives_small, delivers_fragments, grant_replaces_credits}},
      {"SMBD-3.1.5.7-14", must, initiator, kSection, stimulus, octets,
       "The initiator does not lower its MaxReceiveSize below 128.", {},
       {no_message_arrives, fragments_swapped, fragment_repeated, fragment_missing, grants_nothing, receives_small,
        receive_size_below_128, delivers_fragments, grant_replaces_credits}},
      {"SMBD-3.1.5.7-15", must, initiator, kSection, stimulus, octets,
       "The initiator sets MaxSendSize to the smaller of its own and the listener's MaxReceiveSize.",
       "In a trace: SMBD-3.1.5.4-12; S-06",
       {sizes_signed, no_message_arrives, data_length_beyond, segment_above_receive_size, request_twice,
        negotiates_again}},
      {"SMBD-3.1.5.7-16", must, initiator, kSection, api, octets,
       "The initiator sets MaxReadWriteSize to the smaller of its own limit and the listener's.",
       "3.1.4.7 returns it to the upper layer", {transfer_ignores_lengths, transfer_above_agreed}},
      {"SMBD-3.1.5.7-17", must, initiator, kSection, stimulus, octets,
       "The initiator starts with CreditsGranted send credits.", "In a trace: SMBD-3.1.5.1-3",
       {no_message_arrives, data_short, grants_unposted, request_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.5.7-18", must, initiator, kSection, stimulus, octets,
       "The initiator sets MaxFragmentedSendSize to the listener's MaxFragmentedSize.", "In a trace: SMBD-3.1.5.4-2",
       {sizes_signed, no_message_arrives, remaining_zero_early, fragment_missing, message_above_fragmented_size,
        data_before_response}},
      {"SMBD-3.1.5.7-19", must, initiator, kSection, stimulus, octets,
       "The initiator posts receives and counts them as credits.", {},
       {no_message_arrives, data_short, grants_unposted, request_twice, negotiates_again, refuses_empty_messages,
        grant_replaces_credits}},
      {"SMBD-3.1.5.7-20", must, initiator, kSection, api, octets,
       "The initiator ends the connection if it can post no receive.",
       "Needs an RDMA provider that is short of receives"},
      {"SMBD-3.1.5.7-21", must, initiator, kSection, api, octets,
       "The initiator returns an error if it can post no receive.", "The upper layer sees it"},
      {"SMBD-3.1.5.7-22", must, initiator, kSection, stimulus, octets,
       "The initiator cancels the Negotiation Timer, so it does not end an established connection.", {},
       {messages_altered, data_big_endian, data_short, negotiation_timer_not_stopped, delivers_nothing,
        refuses_empty_messages, keepalive_without_flag, idle_timer_not_restarted}},
      {"SMBD-3.1.5.7-23", must, initiator, kSection, stimulus, octets,
       "The initiator sets the idle timer to KeepaliveInterval.", {},
       {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, keepalive_not_sent,
        keepalive_without_flag}},
      {"SMBD-3.1.5.7-24", must, initiator, kSection, stimulus, octets,
       "The initiator sets its role to ESTABLISHED: it expects Data Transfers.", {},
       {no_message_arrives, request_max_version_two, request_version_two, request_max_below_min, request_big_endian,
        data_before_request}},
      {"SMBD-3.1.5.7-25", must, initiator, kSection, api, octets,
       "The initiator returns success to the upper layer.", "The upper layer sees it", {arrival_not_reported}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::ReceivingResponseRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::ReceivingResponseRules, I> {
};
