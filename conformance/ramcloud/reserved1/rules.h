// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct Reserved1Rules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, flags.reserved1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-reserved1-1", must_not, any, kSection, trace, octets,
       "A sender does not set the reserved flag.", "RAMCLOUD/R40", {reserved1_sent}},
      {"RAMCLOUD-reserved1-2", must, server, kSection, stimulus, octets,
       "A server processes or drops a packet with flags.reserved1, and keeps working.", "RAMCLOUD/R29",
       {reserved1_dies, sessions_share_channels}},
      {"RAMCLOUD-reserved1-3", must, client, kSection, stimulus, octets,
       "A client processes or drops a packet with flags.reserved1, and keeps working.", "RAMCLOUD/R29",
       {reserved1_dies}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::Reserved1Rules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::Reserved1Rules, I> {
};
