// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct ServerSessionHintRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, serverSessionHint";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-serverSessionHint-1", must, server, kSection, trace, octets,
       "The server's hint is the same in all its packets on a session, from the open response on.", {},
       {server_hint_changes, executes_bad_session}},
      {"RAMCLOUD-serverSessionHint-2", must, client, kSection, trace, octets,
       "Every packet of the client on a session, save the open request, carries the server's hint.", {},
       {server_hint_not_echoed, token_alternates}},
      {"RAMCLOUD-serverSessionHint-3", must, client, kSection, stimulus, octets,
       "The serverSessionHint is opaque to the client: a session works under any value.", {},
       {server_hint_not_echoed}},
      {"RAMCLOUD-serverSessionHint-4", may, server, kSection, stimulus, octets,
       "An open request has no serverSessionHint yet, so that one with the hint 0 opens a session as well.",
       "RAMCLOUD/R3: deployed servers take a hint within their table for that session",
       {{wrong_token_accepted, warning}, {no_session_opens, warning}}},
      {"RAMCLOUD-serverSessionHint-5", must, server, kSection, stimulus, octets,
       "A request whose token is right and whose serverSessionHint is wrong is not executed.", "RAMCLOUD/R9",
       {executes_bad_session, sessions_share_channels}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::ServerSessionHintRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::ServerSessionHintRules, I> {
};
