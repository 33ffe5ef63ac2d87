// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct ReceivingRequestRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.5.6";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.5.6-1", must, listener, kSection, stimulus, octets,
       "The listener checks that the request is at least 20 octets long.", {}, {bad_negotiation_ignored}},
      {"SMBD-3.1.5.6-2", must, listener, kSection, stimulus, octets,
       "The listener does not process a shorter request.", "It sends no response, not even a failure",
       {bad_request_answered, accepts_short_negotiation}},
      {"SMBD-3.1.5.6-3", must, listener, kSection, stimulus, octets,
       "The listener ends the connection after a shorter request.", "S-03, S-04",
       {bad_negotiation_ignored, accepts_short_negotiation}},
      {"SMBD-3.1.5.6-4", must, listener, kSection, stimulus, octets,
       "The listener checks that 0x0100 is in the range from MinVersion to MaxVersion.", "S-18",
       {accepts_any_version}},
      {"SMBD-3.1.5.6-5", must, listener, kSection, stimulus, octets,
       "The listener answers a range without 0x0100 with STATUS_NOT_SUPPORTED.",
       "SMBD/A26: also if the sizes are wrong as well",
       {sizes_checked_first, failure_not_sent, failure_status_other, failure_is_no_error, bad_negotiation_ignored,
        accepts_any_version}},
      {"SMBD-3.1.5.6-6", should, listener, kSection, stimulus, octets,
       "If the range contains 0x0100, the listener ignores MinVersion and MaxVersion.",
       "SMBD/A25: Windows Server 2012 insists on 0x0100 twice", {{version_range_refused, warning}}},
      {"SMBD-3.1.5.6-7", must, listener, kSection, stimulus, octets,
       "The listener ends the connection if CreditsRequested is zero.", {},
       {bad_negotiation_ignored, accepts_no_credits}},
      {"SMBD-3.1.5.6-8", must, listener, kSection, stimulus, octets,
       "The listener ends the connection if MaxReceiveSize is below 128.", {},
       {bad_negotiation_ignored, accepts_small_receive_size}},
      {"SMBD-3.1.5.6-9", should, listener, kSection, trace, octets,
       "The listener lowers its MaxReceiveSize to the initiator's PreferredSendSize.", {}, {receive_size_not_lowered}},
      {"SMBD-3.1.5.6-10", must, listener, kSection, trace, octets,
       "If PreferredSendSize is below 128, the listener's MaxReceiveSize is at least 128.",
       "SMBD/A22; a larger value does not follow the SHOULD of SMBD-3.1.5.6-9, which comes before this MUST",
       {response_receive_size_low, receive_size_below_128}},
      {"SMBD-3.1.5.6-11", must, listener, kSection, stimulus, octets,
       "The listener ends the connection if MaxFragmentedSize is below 131,072.", {},
       {bad_negotiation_ignored, accepts_small_fragmented_size}},
      {"SMBD-3.1.5.6-12", must, listener, kSection, stimulus, octets,
       "If a request fails one of these three checks, the listener sends no response.", {},
       {bad_request_answered, accepts_no_credits, accepts_small_receive_size, accepts_small_fragmented_size}},
      {"SMBD-3.1.5.6-13", must, listener, kSection, none, octets,
       "The listener sets Connection.Protocol to 0x0100.", "Only the response shows it: SMBD-3.1.5.3-7"},
      {"SMBD-3.1.5.6-14", must, listener, kSection, stimulus, octets,
       "The listener takes CreditsRequested as the target for the credits that it grants.", {},
       {no_message_arrives, data_short, empty_length_set, remaining_at_end, response_twice, negotiates_again,
        ignores_granted_credits}},
      {"SMBD-3.1.5.6-15", must, listener, kSection, stimulus, octets,
       "The listener sets MaxSendSize to the smaller of its own and the initiator's MaxReceiveSize.",
       "In a trace: SMBD-2.2.2-13",
       {no_message_arrives, remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.5.6-16", must, listener, kSection, stimulus, octets,
       "The listener sets MaxFragmentedSendSize to the initiator's MaxFragmentedSize.", "In a trace: SMBD-3.1.5.4-2",
       {no_message_arrives, remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.5.6-17", must, listener, kSection, trace, octets,
       "A listener that can grant no credit sends a failure response; a successful one grants at least one.", {},
       {response_credits_granted_zero}},
      {"SMBD-3.1.5.6-18", must, listener, kSection, trace, octets,
       "In a failure response, Status is an NT status of severity error.", "SMBD/A24: any such status",
       {failure_is_no_error}},
      {"SMBD-3.1.5.6-19", must, listener, kSection, trace, absence,
       "The listener answers a correct request with a Negotiate Response.",
       "SMBD/A28: within 5 seconds; it may end the connection for lack of resources (SMBD/A24). A capture shows at most "
       "a warning: SMBD/A48"},
      {"SMBD-3.1.5.6-20", must, listener, kSection, stimulus, octets,
       "If it has credits to grant, the listener sets Status to zero.", "SMBD/A32",
       {sizes_signed, response_short, response_status_not_zero, response_missing, response_behind_data,
        refuses_reserved_bits}},
      {"SMBD-3.1.5.6-21", must, listener, kSection, api, octets,
       "The listener indicates the new connection to the upper layer.", "The upper layer sees it",
       {arrival_not_reported}},
      {"SMBD-3.1.5.6-22", must, listener, kSection, stimulus, octets,
       "The listener cancels the Negotiation Timer, so it does not end an established connection.", {},
       {no_message_arrives, remaining_at_end, negotiates_again, negotiation_timer_not_stopped, refuses_empty_messages,
        ignores_granted_credits}},
      {"SMBD-3.1.5.6-23", must, listener, kSection, stimulus, octets,
       "The listener sets the idle timer to KeepaliveInterval.", {},
       {data_big_endian, negotiation_timer_not_stopped, refuses_empty_messages, ignores_granted_credits,
        keepalive_not_sent, keepalive_without_flag}},
      {"SMBD-3.1.5.6-24", must, listener, kSection, stimulus, octets,
       "The listener sets its role to ESTABLISHED: it expects Data Transfers.", "SMBD/A41",
       {no_message_arrives, remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.5.6-25", must, listener, kSection, stimulus, octets,
       "The listener posts receives and counts them as credits before it sends the response.", {},
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
