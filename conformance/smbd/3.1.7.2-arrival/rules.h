// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/smbd/sheet.h"

namespace wirelaw::smbd {

struct ArrivalRules : Words {
  static constexpr std::string_view kSection = "[MS-SMBD] 3.1.7.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"SMBD-3.1.7.2-1", must, listener, kSection, stimulus, octets,
       "Each arrival makes a connection of its own.", {},
       {no_message_arrives, remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.7.2-2", must, listener, kSection, stimulus, octets,
       "The role is PASSIVE: a Negotiate Request is expected, and nothing else.", {}, {bad_negotiation_ignored}},
      {"SMBD-3.1.7.2-3", must, listener, kSection, stimulus, octets,
       "The Negotiation Timer of the listener runs for 5 seconds.", "SMBD/A43; in a trace: SMBD-3.1.6-1",
       {no_message_arrives, response_short, response_status_not_zero, remaining_at_end, response_twice,
        response_missing, response_behind_data, negotiates_again, negotiation_times_out_early,
        ignores_granted_credits, {negotiation_never_times_out, warning}}},
      {"SMBD-3.1.7.2-4", must, listener, kSection, api, octets,
       "An endpoint of the RDMA provider is given to the connection.", "seen at the verbs"},
      {"SMBD-3.1.7.2-5", must, listener, kSection, stimulus, octets,
       "The connection is accepted.", "SMBD/A46"},
      {"SMBD-3.1.7.2-6", must, listener, kSection, trace, absence,
       "The listener begins without send credits: it sends no Data Transfer before the initiator's first grant.",
       "SMBD/A41", {spends_without_credit}},
      {"SMBD-3.1.7.2-7", must, listener, kSection, stimulus, octets,
       "A receive of at least 512 octets is posted.",
       "SMBD/A21: a request with octets behind it, up to 512, is taken",
       {response_short, response_status_not_zero, response_missing, response_behind_data, refuses_trailing_octets,
        first_receive_small}},
      {"SMBD-3.1.7.2-8", must, listener, kSection, api, octets,
       "Where none can be posted the connection is ended.", "needs a provider that is short of receives"},
      {"SMBD-3.1.7.2-9", must, listener, kSection, none, octets,
       "Credits to grant and to ask for, sizes and keep-alive interval have their initial values.",
       "values of the listener's own; what the response says of them: SMBD-2.2.2-8 to -20"},
      {"SMBD-3.1.7.2-10", must, listener, kSection, stimulus, octets,
       "KeepaliveRequested begins as NONE.", {}, {flag_without_cause}},
      {"SMBD-3.1.7.2-11", must, listener, kSection, none, octets,
       "Connection.Protocol begins as 0.", "a value that nothing reads before it is set"},
      {"SMBD-3.1.7.2-12", must, listener, kSection, stimulus, octets,
       "The listener begins with no credit granted to its peer.", {},
       {response_credits_granted_zero, response_credits_granted_unposted, response_big_endian, data_short,
        grants_nothing, no_empty_grant, refuses_empty_messages, ignores_granted_credits}},
      {"SMBD-3.1.7.2-13", must, listener, kSection, stimulus, octets,
       "Nothing waits to be sent at the beginning.", {}, {begins_with_a_message}},
      {"SMBD-3.1.7.2-14", must, listener, kSection, stimulus, octets,
       "The reassembly buffer begins empty.", {},
       {no_message_arrives, remaining_at_end, response_twice, negotiates_again, ignores_granted_credits}},
      {"SMBD-3.1.7.2-15", must, listener, kSection, api, octets,
       "The upper layer is told of the new connection.", "the upper layer sees it", {arrival_not_reported}},
  };
  // clang-format on
};

}  // namespace wirelaw::smbd

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::smbd::ArrivalRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::smbd::ArrivalRules, I> {
};
