// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct ReceivingRequestRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.6";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.6-1", must, listener, kSection, stimulus, octets,
       "The length of the request is checked: 20 octets at least.", {}, {bad_negotiation_ignored}},
      {"SMBD-3.1.5.6-2", must, listener, kSection, stimulus, octets,
       "A shorter request is processed no further.", "no response, not even one of failure",
       {bad_request_answered, accepts_short_negotiation}},
      {"SMBD-3.1.5.6-3", must, listener, kSection, stimulus, octets,
       "A shorter request ends the connection.", "S-03, S-04", {bad_negotiation_ignored, accepts_short_negotiation}},
      {"SMBD-3.1.5.6-4", must, listener, kSection, stimulus, octets,
       "The range from MinVersion to MaxVersion is looked at: it has to hold 0x0100.", "S-18", {accepts_any_version}},
      {"SMBD-3.1.5.6-5", must, listener, kSection, stimulus, octets,
       "A range without 0x0100 is answered with STATUS_NOT_SUPPORTED.",
       "SMBD/A26: also where sizes are wrong as well",
       {sizes_checked_first, failure_not_sent, failure_status_other, failure_is_no_error, bad_negotiation_ignored,
        accepts_any_version}},
      {"SMBD-3.1.5.6-6", should, listener, kSection, stimulus, octets,
       "A range that holds 0x0100 is ignored otherwise.", "SMBD/A25: Windows Server 2012 insists on 0x0100 twice",
       {{version_range_refused, warning}}},
      {"SMBD-3.1.5.6-7", must, listener, kSection, stimulus, octets,
       "CreditsRequested of zero ends the connection.", {}, {bad_negotiation_ignored, accepts_no_credits}},
      {"SMBD-3.1.5.6-8", must, listener, kSection, stimulus, octets,
       "A MaxReceiveSize below 128 ends the connection.", {}, {bad_negotiation_ignored, accepts_small_receive_size}},
      {"SMBD-3.1.5.6-9", should, listener, kSection, trace, octets,
       "The listener lowers its MaxReceiveSize to the initiator's PreferredSendSize.", {}, {receive_size_not_lowered}},
      {"SMBD-3.1.5.6-10", must, listener, kSection, trace, octets,
       "It lowers it to 128 where PreferredSendSize is smaller.", "SMBD/A22",
       {response_receive_size_low, receive_size_below_128}},
      {"SMBD-3.1.5.6-11", must, listener, kSection, stimulus, octets,
       "A MaxFragmentedSize below 131,072 ends the connection.", {},
       {bad_negotiation_ignored, accepts_small_fragmented_size}},
      {"SMBD-3.1.5.6-12", must, listener, kSection, stimulus, octets,
       "A request that fails one of these three checks is processed no further: no response comes.", {},
       {bad_request_answered, accepts_no_credits, accepts_small_receive_size, accepts_small_fragmented_size}},
      {"SMBD-3.1.5.6-13", must, listener, kSection, none, octets,
       "The connection is of version 0x0100.", "no message but the response shows it: SMBD-3.1.5.3-7"},
      {"SMBD-3.1.5.6-14", must, listener, kSection, stimulus, octets,
       "CreditsRequested is the target for what the listener grants.", {},
       {no_message_arrives, data_short, empty_length_set, remaining_at_end, response_twice, negotiates_again,
        ignores_granted_credits}},
      {"SMBD-3.1.5.6-15", must, listener, kSection, stimulus, octets,
       "MaxSendSize becomes the smaller of the listener's own and the initiator's MaxReceiveSize.",
       "in a trace: SMBD-2.2.2-13",
       {no_message_arrives, remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.5.6-16", must, listener, kSection, stimulus, octets,
       "MaxFragmentedSendSize becomes the initiator's MaxFragmentedSize.", "in a trace: SMBD-3.1.5.4-2",
       {no_message_arrives, remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.5.6-17", must, listener, kSection, trace, octets,
       "A listener that can grant no credit sends a response of failure: a success grants one at least.", {},
       {response_credits_granted_zero}},
      {"SMBD-3.1.5.6-18", must, listener, kSection, trace, octets,
       "Status of a failure is an NT status of the severity error.", "SMBD/A24: any such status",
       {failure_is_no_error}},
      {"SMBD-3.1.5.6-19", must, listener, kSection, trace, absence,
       "A request that is in order is answered with a Negotiate Response.",
       "SMBD/A28: within 5 seconds; the end of the connection is for lack of resources (SMBD/A24)"},
      {"SMBD-3.1.5.6-20", must, listener, kSection, stimulus, octets,
       "Otherwise the response has Status zero.", "SMBD/A32",
       {sizes_signed, response_short, response_status_not_zero, response_missing, response_behind_data,
        refuses_reserved_bits}},
      {"SMBD-3.1.5.6-21", must, listener, kSection, api, octets,
       "The new connection is made known to the upper layer.", "the upper layer sees it", {arrival_not_reported}},
      {"SMBD-3.1.5.6-22", must, listener, kSection, stimulus, octets,
       "The Negotiation Timer is stopped: it does not end an established connection.", {},
       {no_message_arrives, remaining_at_end, negotiates_again, negotiation_timer_not_stopped, refuses_empty_messages,
        ignores_granted_credits}},
      {"SMBD-3.1.5.6-23", must, listener, kSection, stimulus, octets,
       "The idle timer is set to the keep-alive interval.", {},
       {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, ignores_granted_credits,
        keepalive_not_sent, keepalive_without_flag}},
      {"SMBD-3.1.5.6-24", must, listener, kSection, stimulus, octets,
       "The role becomes ESTABLISHED: Data Transfers are expected.", "SMBD/A41",
       {no_message_arrives, remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.5.6-25", must, listener, kSection, stimulus, octets,
       "Receives are posted and counted as credits before the response is sent.", {},
       {no_message_arrives, response_credits_granted_zero, response_credits_granted_unposted, response_big_endian,
        data_short, remaining_at_end, grants_nothing, no_empty_grant, response_twice, negotiates_again,
        refuses_empty_messages, ignores_granted_credits, grant_replaces_credits}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::ReceivingRequestRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::ReceivingRequestRules, I> {
};
