// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct SessionTokenRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, sessionToken";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-sessionToken-1", must, server, kSection, stimulus, octets,
       "The token of the open response is the one under which the server then accepts requests.", {},
       {no_rpc_completes}},
      {"RAMCLOUD-sessionToken-2", must, client, kSection, trace, absence,
       "Every packet of the client on a session carries the token of the open response.", {}, {token_not_used}},
      {"RAMCLOUD-sessionToken-3", must, server, kSection, trace, absence,
       "Every DATA and ACK packet of the server on a session carries the token of its open response.", {},
       {token_zero_in_data, token_changes, executes_bad_session}},
      {"RAMCLOUD-sessionToken-4", must, server, kSection, trace, octets,
       "Two sessions that a server opens have different tokens.", "RAMCLOUD/R7, RAMCLOUD/R8", {tokens_repeat}},
      {"RAMCLOUD-sessionToken-5", should, server, kSection, stimulus, octets,
       "The tokens of a server's sessions look random: no counter, and no common upper half.", "RAMCLOUD/R8",
       {tokens_count_up, tokens_repeat}},
      {"RAMCLOUD-sessionToken-6", must, client, kSection, stimulus, octets,
       "A client that gets two different open responses uses one of the sessions consistently.", "RAMCLOUD/R7",
       {token_alternates, data_before_open_response, token_not_used, server_hint_not_echoed}},
      {"RAMCLOUD-sessionToken-7", must, server, kSection, stimulus, octets,
       "A request whose hint is right and whose token is wrong is not executed.", "RAMCLOUD/R9",
       {wrong_token_accepted, executes_bad_session, sessions_share_channels}},
      {"RAMCLOUD-sessionToken-8", must, client, kSection, stimulus, octets,
       "A packet whose hint is right and whose token is wrong is not taken for a response.", "RAMCLOUD/R9",
       {wrong_token_response_accepted}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::SessionTokenRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::SessionTokenRules, I> {
};
