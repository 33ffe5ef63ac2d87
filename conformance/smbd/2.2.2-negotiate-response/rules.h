// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct NegotiateResponseRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 2.2.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-2.2.2-1", must, listener, kSection, trace, absence,
       "The first message of the listener is a Negotiate Response.", {}, {response_behind_data}},
      {"SMBD-2.2.2-2", must, listener, kSection, trace, absence,
       "The Negotiate Response comes behind the Negotiate Request that it answers."},
      {"SMBD-2.2.2-3", must, listener, kSection, none, octets,
       "MinVersion is one of the versions of 1.7.", "there is one, 0x0100: judged by SMBD-3.1.5.3-1"},
      {"SMBD-2.2.2-4", must, listener, kSection, none, octets,
       "MaxVersion is one of the versions of 1.7.", "there is one, 0x0100: judged by SMBD-3.1.5.3-2"},
      {"SMBD-2.2.2-5", must, listener, kSection, trace, octets,
       "MaxVersion is not below MinVersion.", {}, {response_max_below_min}},
      {"SMBD-2.2.2-6", must, listener, kSection, none, octets,
       "The listener supports each version from MinVersion to MaxVersion.",
       "there is one version; another range breaks SMBD-3.1.5.3-1 or -2"},
      {"SMBD-2.2.2-7", must, listener, kSection, none, octets,
       "NegotiatedVersion is in the range that the request offered.",
       "there is one version: judged by SMBD-3.1.5.3-7, and a range without it by SMBD-3.1.5.6-5"},
      {"SMBD-2.2.2-8", should, listener, kSection, none, octets,
       "Reserved is sent as zero.", "SMBD/A3: a MUST in 3.1.5.3; judged by SMBD-3.1.5.3-3"},
      {"SMBD-2.2.2-9", must, listener, kSection, trace, octets,
       "CreditsRequested of a successful response is not zero.", "by 3.1.5.7", {response_credits_requested_zero}},
      {"SMBD-2.2.2-10", must, listener, kSection, stimulus, octets,
       "CreditsGranted is a number of messages that the listener can receive at once.", {},
       {no_message_arrives, response_credits_granted_zero, response_credits_granted_unposted, response_big_endian,
        data_short, remaining_at_end, grants_nothing, no_empty_grant, response_twice, negotiates_again,
        refuses_empty_messages, ignores_granted_credits}},
      {"SMBD-2.2.2-11", must, listener, kSection, stimulus, octets,
       "Status is zero where the request succeeds.",
       "SMBD/A24: that a request must succeed cannot be known from outside where the listener lacks resources",
       {response_status_not_zero}},
      {"SMBD-2.2.2-12", must, listener, kSection, trace, octets,
       "No RDMA Write or Read of the listener moves more than its MaxReadWriteSize.",
       "one operation serves one upper-layer request at most"},
      {"SMBD-2.2.2-13", must, listener, kSection, trace, octets,
       "PreferredSendSize is at most the MaxReceiveSize of the request.", {}, {response_preferred_above_request}},
      {"SMBD-2.2.2-14", must, initiator, kSection, trace, octets,
       "No message to the listener is longer than the MaxReceiveSize of its response, octets behind the data "
       "included.", "SMBD/A20"},
      {"SMBD-2.2.2-15", must, listener, kSection, trace, octets,
       "MaxReceiveSize is at least 128.", "by 3.1.5.7", {response_receive_size_low}},
      {"SMBD-2.2.2-16", must, listener, kSection, trace, octets,
       "MaxFragmentedSize is at least 131,072.", "by 3.1.5.7", {response_fragmented_size_low}},
      {"SMBD-2.2.2-17", must, listener, kSection, trace, octets,
       "The response holds all of its fields: 32 octets at least.", "by 3.1.5.7; SMBD/A21: more are accepted",
       {response_short}},
      {"SMBD-2.2.2-18", must, initiator, kSection, stimulus, octets,
       "The initiator ignores Reserved.", {}, {no_message_arrives, refuses_reserved_bits}},
      {"SMBD-2.2.2-19", must, listener, kSection, stimulus, octets,
       "The listener can receive a message of MaxReceiveSize octets.", {}, {receives_small, fragments_left_behind}},
      {"SMBD-2.2.2-20", must, listener, kSection, stimulus, octets,
       "The listener can put together an upper-layer message of MaxFragmentedSize octets.", "S-09",
       {empty_length_set, remaining_zero_early, fragments_swapped, fragment_repeated, fragment_missing,
        segment_above_receive_size, receives_small, delivers_fragments, fragments_left_behind, refuses_empty_messages,
        grant_replaces_credits}},
      {"SMBD-2.2.2-21", must, listener, kSection, stimulus, octets,
       "All RDMA transfers for one upper-layer request are MaxReadWriteSize together at most.",
       "which transfers are for one request, the upper layer knows; SMBD/A33: the size itself is not judged",
       {response_big_endian, transfer_ignores_lengths, transfer_above_agreed}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::NegotiateResponseRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::NegotiateResponseRules, I> {
};
