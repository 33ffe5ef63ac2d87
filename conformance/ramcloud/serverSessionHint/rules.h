// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct ServerSessionHintRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, serverSessionHint";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-serverSessionHint-1", must, server, kSection, trace, octets,
       "A server uses the same serverSessionHint in all its packets of a session, from the open response on.", {},
       {server_hint_changes, executes_bad_session}},
      {"RAMCLOUD-serverSessionHint-2", must, client, kSection, trace, octets,
       "A client copies the server's hint into every packet of a session except the open request.", {},
       {server_hint_not_echoed, token_alternates}},
      {"RAMCLOUD-serverSessionHint-3", must, client, kSection, stimulus, octets,
       "A client accepts any value of serverSessionHint in a session, since the hint is opaque to it.", {},
       {server_hint_not_echoed}},
      {"RAMCLOUD-serverSessionHint-4", may, server, kSection, stimulus, octets,
       "A server also opens a session for an open request with hint 0, because the request has no serverSessionHint "
       "yet.", "RAMCLOUD/R3: deployed servers take a hint within their table for that session",
       {{wrong_token_accepted, warning}, {no_session_opens, warning}}},
      {"RAMCLOUD-serverSessionHint-5", must, server, kSection, stimulus, octets,
       "A server does not execute a request with the right token and the wrong serverSessionHint.", "RAMCLOUD/R9",
       {executes_bad_session, sessions_share_channels}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::ServerSessionHintRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::ServerSessionHintRules, I> {
};
