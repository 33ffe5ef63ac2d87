// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct Reserved1Rules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, flags.reserved1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-reserved1-1", must_not, any, kSection, trace, octets,
       "The reserved flag is not set.", "RAMCLOUD/R40", {reserved1_sent}},
      {"RAMCLOUD-reserved1-2", must, server, kSection, stimulus, octets,
       "A packet with flags.reserved1 is processed or dropped, and does the server no harm.", "RAMCLOUD/R29",
       {reserved1_dies, sessions_share_channels}},
      {"RAMCLOUD-reserved1-3", must, client, kSection, stimulus, octets,
       "A packet with flags.reserved1 is processed or dropped, and does the client no harm.", "RAMCLOUD/R29",
       {reserved1_dies}},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::Reserved1Rules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::Reserved1Rules, I> {
};
