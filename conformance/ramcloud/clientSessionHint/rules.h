// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct ClientSessionHintRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, clientSessionHint";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-clientSessionHint-1", must, client, kSection, trace, octets,
       "A client uses the same clientSessionHint in all its packets of a session, including the open request.", {},
       {client_hint_changes, token_alternates}},
      {"RAMCLOUD-clientSessionHint-2", must, server, kSection, trace, absence,
       "The open response carries the client's hint of the open request.", {},
       {open_response_other_client_hint, big_endian_header}},
      {"RAMCLOUD-clientSessionHint-3", must, server, kSection, trace, octets,
       "A server copies the client's hint into every DATA and ACK packet of a session.", {},
       {client_hint_not_echoed_in_data, open_response_other_client_hint}},
      {"RAMCLOUD-clientSessionHint-4", must, server, kSection, stimulus, octets,
       "A server accepts any value of clientSessionHint in a session, since the hint is opaque to it.", {},
       {client_hint_truncated_16, no_session_opens, no_rpc_completes}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::ClientSessionHintRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::ClientSessionHintRules, I> {
};
