// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/ramcloud/sheet.h"

namespace wirelaw::ramcloud {

struct TransportRules : Words {
  static constexpr std::string_view kSection = "RAMCloud RPC, introduction";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RAMCLOUD-transport-1", must, any, kSection, trace, octets,
       "A sender uses an IP header without options and without extension headers.", "RAMCLOUD/R32"},
      {"RAMCLOUD-transport-2", must, any, kSection, none, octets,
       "Clients and servers exchange everything in RPCs.",
       "Describes the system: a packet of another protocol between the same hosts is not a packet of this one"},
  };
  // clang-format on
};

}  // namespace wirelaw::ramcloud

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::ramcloud::TransportRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::ramcloud::TransportRules, I> {
};
