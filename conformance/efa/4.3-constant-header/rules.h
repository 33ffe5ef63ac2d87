// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct ConstantHeaderRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 4.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-4.3-1", should, requester, kSection, trace, absence,
       "A requester uses one header length for all EAGER_MSGRTM to a peer that requests a constant header length, "
       "apart from CQ data.",
       "EFA/A-11, EFA/A-38, EFA/A-84: judged for a sender that has complied. One that ignores the request gets a "
       "warning", {{constant_header_ignored, warning}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ConstantHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ConstantHeaderRules, I> {
};
