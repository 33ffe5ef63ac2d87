// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct ArrivalRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.7.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.7.2-1", must, listener, kSection, stimulus, octets,
       "The listener creates a new connection for each arrival.", {},
       {no_message_arrives, remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.7.2-2", must, listener, kSection, stimulus, octets,
       "The listener starts in role PASSIVE: it accepts only a Negotiate Request.", {}, {bad_negotiation_ignored}},
      {"SMBD-3.1.7.2-3", must, listener, kSection, stimulus, octets,
       "The listener's Negotiation Timer runs for 5 seconds.", "SMBD/A43; in a trace: SMBD-3.1.6-1",
       {no_message_arrives, response_short, response_status_not_zero, remaining_at_end, response_twice,
        response_missing, response_behind_data, negotiates_again, negotiation_times_out_early, ignores_granted_credits,
        {negotiation_never_times_out, warning}}},
      {"SMBD-3.1.7.2-4", must, listener, kSection, api, octets,
       "The listener assigns an endpoint of the RDMA provider to the connection.", "Seen at the verbs"},
      {"SMBD-3.1.7.2-5", must, listener, kSection, stimulus, octets,
       "The listener accepts the connection.", "SMBD/A46"},
      {"SMBD-3.1.7.2-6", must, listener, kSection, trace, absence,
       "The listener starts without send credits: it sends no Data Transfer before the initiator's first grant.",
       "SMBD/A41", {spends_without_credit}},
      {"SMBD-3.1.7.2-7", must, listener, kSection, stimulus, octets,
       "The listener posts a receive of at least 512 octets.",
       "SMBD/A21: the listener accepts a request with extra octets up to 512",
       {response_short, response_status_not_zero, response_missing, response_behind_data, refuses_trailing_octets,
        first_receive_small}},
      {"SMBD-3.1.7.2-8", must, listener, kSection, api, octets,
       "The listener ends the connection if it can post no receive.",
       "Needs an RDMA provider that is short of receives"},
      {"SMBD-3.1.7.2-9", must, listener, kSection, none, octets,
       "The listener sets initial values for its credit limits, sizes and keep-alive interval.",
       "Local values; SMBD-2.2.2-8 to -20 judge what the response says of them"},
      {"SMBD-3.1.7.2-10", must, listener, kSection, stimulus, octets,
       "The listener starts with KeepaliveRequested NONE.", {}, {flag_without_cause}},
      {"SMBD-3.1.7.2-11", must, listener, kSection, none, octets,
       "The listener starts with Connection.Protocol 0.", "Nothing reads the value before it is set"},
      {"SMBD-3.1.7.2-12", must, listener, kSection, stimulus, octets,
       "The listener starts with no credit granted to its peer.", {},
       {response_credits_granted_zero, response_credits_granted_unposted, response_big_endian, data_short,
        grants_nothing, no_empty_grant, refuses_empty_messages, ignores_granted_credits}},
      {"SMBD-3.1.7.2-13", must, listener, kSection, stimulus, octets,
       "The listener starts with an empty send queue.", {}, {begins_with_a_message}},
      {"SMBD-3.1.7.2-14", must, listener, kSection, stimulus, octets,
       "The listener starts with an empty reassembly buffer.", {},
       {no_message_arrives, remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.7.2-15", must, listener, kSection, api, octets,
       "The listener notifies the upper layer of the new connection.", "The upper layer sees it",
       {arrival_not_reported}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::ArrivalRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::ArrivalRules, I> {
};
