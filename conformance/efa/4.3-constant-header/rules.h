// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct ConstantHeaderRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 4.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-4.3-1", should, requester, kSection, trace, absence,
       "To a peer that asks for a constant header length, all EAGER_MSGRTM have headers of one length, CQ data aside.",
       "EFA/A-11, EFA/A-38, EFA/A-84: of a sender that has complied; one that ignores the request is warned of",
       {{constant_header_ignored, warning}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ConstantHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ConstantHeaderRules, I> {
};
