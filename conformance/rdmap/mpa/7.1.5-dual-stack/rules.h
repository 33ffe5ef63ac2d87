// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.5: two stacks that share one connection.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaDualStackRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 7.1.5";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-7.1.5-1", should, any, kSection, api, octets,
       "The ULP enables DDP and MPA only when it expects no more streaming data.",
       "Only the ULP knows what it expects."},
      {"MPA-7.1.5-2", must, any, kSection, none, octets,
       "TCP follows its rules while the stacks change: it recovers lost and reordered octets.",
       "TCP is not judged here; missing octets show as invalid FPDUs."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaDualStackRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaDualStackRules, I> {
};
