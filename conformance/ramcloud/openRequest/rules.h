// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct OpenRequestRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, PT_SESSION_OPEN";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-openRequest-1", must, client, kSection, trace, octets,
       "A session open request has no payload.", {}, {open_with_payload}},
      {"RAMCLOUD-openRequest-2", must, server, kSection, stimulus, octets,
       "A server answers or ignores an open request with a payload, and keeps working.", {},
       {open_payload_dies, no_session_opens, no_rpc_completes}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::OpenRequestRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::OpenRequestRules, I> {
};
