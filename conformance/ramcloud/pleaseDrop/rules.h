// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct PleaseDropRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, flags.pleaseDrop";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-pleaseDrop-1", must, server, kSection, stimulus, octets,
       "A server drops a packet with flags.pleaseDrop: it opens no session, executes nothing and sends no ACK.",
       "RAMCLOUD/R34",
       {please_drop_ignored, please_drop_ignored_on_open, please_drop_acked, response_before_request_complete,
        sessions_share_channels, no_session_opens}},
      {"RAMCLOUD-pleaseDrop-2", must, client, kSection, stimulus, octets,
       "A client drops a packet with flags.pleaseDrop.", "RAMCLOUD/R34", {please_drop_ignored}},
      {"RAMCLOUD-pleaseDrop-3", should_not, any, kSection, trace, octets,
       "A sender does not set flags.pleaseDrop in production traffic, since the flag is only for tests.",
       "RAMCLOUD/R39", {{please_drop_sent, warning}}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::PleaseDropRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::PleaseDropRules, I> {
};
