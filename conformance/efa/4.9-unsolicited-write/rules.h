// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct UnsolicitedWriteRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 4.9 (2.6)";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-4.9-1", must_not, requester, kSection, api, octets,
       "A requester sends an RDMA write with immediate only if both endpoints or neither of them announce ID 8.",
       "EFA/A-91, EFA/A-99: RDMA writes are not packets of this protocol. The device shows them",
       {{immediate_to_unlike_peer, "later documents"}, {immediate_to_unlike_peer, warning}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::UnsolicitedWriteRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::UnsolicitedWriteRules, I> {
};
