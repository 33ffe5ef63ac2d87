// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct SessionTokenRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, sessionToken";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-sessionToken-1", must, server, kSection, stimulus, octets,
       "A server accepts requests under the token that it sent in the open response.", {}, {no_rpc_completes}},
      {"RAMCLOUD-sessionToken-2", must, client, kSection, trace, absence,
       "A client uses the token of the open response in every packet of the session.", {}, {token_not_used}},
      {"RAMCLOUD-sessionToken-3", must, server, kSection, trace, absence,
       "A server uses the token of its open response in every DATA and ACK packet of the session.", {},
       {token_zero_in_data, token_changes, executes_bad_session}},
      {"RAMCLOUD-sessionToken-4", must, server, kSection, trace, octets,
       "A server gives different tokens to the sessions that it opens.", "RAMCLOUD/R7, RAMCLOUD/R8", {tokens_repeat}},
      {"RAMCLOUD-sessionToken-5", should, server, kSection, stimulus, octets,
       "A server chooses tokens that look random, without a counter and without a common upper half.", "RAMCLOUD/R8",
       {tokens_count_up, tokens_repeat}},
      {"RAMCLOUD-sessionToken-6", must, client, kSection, stimulus, octets,
       "A client that gets two different open responses consistently uses one of the two sessions.", "RAMCLOUD/R7",
       {token_alternates, data_before_open_response, token_not_used, server_hint_not_echoed}},
      {"RAMCLOUD-sessionToken-7", must, server, kSection, stimulus, octets,
       "A server does not execute a request with the right hint and the wrong token.", "RAMCLOUD/R9",
       {wrong_token_accepted, executes_bad_session, sessions_share_channels}},
      {"RAMCLOUD-sessionToken-8", must, client, kSection, stimulus, octets,
       "A client does not accept a packet with the right hint and the wrong token as a response.", "RAMCLOUD/R9",
       {wrong_token_response_accepted}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::SessionTokenRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::SessionTokenRules, I> {
};
