// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct NegotiateResponseRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 2.2.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-2.2.2-1", must, listener, kSection, trace, absence,
       "The first message that the listener sends is a Negotiate Response.", {}, {response_behind_data}},
      {"SMBD-2.2.2-2", must, listener, kSection, trace, absence,
       "The listener sends its Negotiate Response only after the Negotiate Request has arrived."},
      {"SMBD-2.2.2-3", must, listener, kSection, none, octets,
       "The listener sets MinVersion to a version that 1.7 lists.", "1.7 lists only 0x0100: judged by SMBD-3.1.5.3-1"},
      {"SMBD-2.2.2-4", must, listener, kSection, none, octets,
       "The listener sets MaxVersion to a version that 1.7 lists.", "1.7 lists only 0x0100: judged by SMBD-3.1.5.3-2"},
      {"SMBD-2.2.2-5", must, listener, kSection, trace, octets,
       "In a Negotiate Response, MaxVersion is not below MinVersion.", {}, {response_max_below_min}},
      {"SMBD-2.2.2-6", must, listener, kSection, none, octets,
       "The listener supports each version from MinVersion to MaxVersion.",
       "There is only one version; another range breaks SMBD-3.1.5.3-1 or -2"},
      {"SMBD-2.2.2-7", must, listener, kSection, none, octets,
       "The listener selects a NegotiatedVersion in the range that the request offers.",
       "There is only one version: SMBD-3.1.5.3-7 judges the value, SMBD-3.1.5.6-5 a range without it"},
      {"SMBD-2.2.2-8", should, listener, kSection, none, octets,
       "The listener sets Reserved of its Negotiate Response to zero.",
       "SMBD/A3: a MUST in 3.1.5.3; judged by SMBD-3.1.5.3-3"},
      {"SMBD-2.2.2-9", must, listener, kSection, trace, octets,
       "In a successful response, CreditsRequested is not zero.", "From 3.1.5.7", {response_credits_requested_zero}},
      {"SMBD-2.2.2-10", must, listener, kSection, stimulus, octets,
       "The listener can receive as many messages at once as CreditsGranted says.", {},
       {no_message_arrives, response_credits_granted_zero, response_credits_granted_unposted, response_big_endian,
        data_short, remaining_at_end, grants_nothing, no_empty_grant, response_twice, negotiates_again,
        refuses_empty_messages, ignores_granted_credits}},
      {"SMBD-2.2.2-11", must, listener, kSection, stimulus, octets,
       "The listener sets Status to zero if the request succeeds.",
       "SMBD/A24: the listener may lack resources, so a peer cannot know that a request must succeed",
       {response_status_not_zero}},
      {"SMBD-2.2.2-12", must, listener, kSection, trace, octets,
       "No RDMA Write or Read of the listener transfers more than its MaxReadWriteSize.",
       "One operation serves at most one upper-layer request", {transfer_ignores_lengths, transfer_above_agreed}},
      {"SMBD-2.2.2-13", must, listener, kSection, trace, octets,
       "The listener sets PreferredSendSize to at most the MaxReceiveSize of the request.", {},
       {response_preferred_above_request}},
      {"SMBD-2.2.2-14", must, initiator, kSection, trace, octets,
       "The initiator sends no message longer than the listener's MaxReceiveSize, octets after the payload included.",
       "SMBD/A20"},
      {"SMBD-2.2.2-15", must, listener, kSection, trace, octets,
       "The listener sets MaxReceiveSize to at least 128.", "From 3.1.5.7", {response_receive_size_low}},
      {"SMBD-2.2.2-16", must, listener, kSection, trace, octets,
       "The listener sets MaxFragmentedSize to at least 131,072.", "From 3.1.5.7", {response_fragmented_size_low}},
      {"SMBD-2.2.2-17", must, listener, kSection, trace, octets,
       "A Negotiate Response has all its fields: it is at least 32 octets long.",
       "From 3.1.5.7; SMBD/A21: a longer response is accepted", {response_short}},
      {"SMBD-2.2.2-18", must, initiator, kSection, stimulus, octets,
       "The initiator ignores Reserved of a Negotiate Response.", {}, {no_message_arrives, refuses_reserved_bits}},
      {"SMBD-2.2.2-19", must, listener, kSection, stimulus, octets,
       "The listener can receive a message of MaxReceiveSize octets.", {}, {receives_small, fragments_left_behind}},
      {"SMBD-2.2.2-20", must, listener, kSection, stimulus, octets,
       "The listener can reassemble an upper-layer message of MaxFragmentedSize octets.", "S-09",
       {empty_length_set, remaining_zero_early, fragments_swapped, fragment_repeated, fragment_missing,
        segment_above_receive_size, receives_small, delivers_fragments, fragments_left_behind, refuses_empty_messages,
        grant_replaces_credits}},
      {"SMBD-2.2.2-21", must, listener, kSection, trace, octets,
       "The listener's RDMA transfers for one upper-layer request total at most MaxReadWriteSize.",
       "SMBD/A45: a trace shows which transfers serve one SMB2 request; SMBD/A33: the size itself is not judged",
       {response_big_endian, transfer_ignores_lengths, transfer_above_agreed}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::NegotiateResponseRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::NegotiateResponseRules, I> {
};
