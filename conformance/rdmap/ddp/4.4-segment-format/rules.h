// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct DdpSegmentFormatRules : Words {
  static constexpr std::string_view kSection = "RFC 5041 4.4";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"DDP-4.4-1", must, any, kSection, none, octets,
       "Every segment has a DDP header.",
       "MPA-3-1 judges a ULPDU without octets; DDP-4.2-1 and DDP-4.3-1 judge one that is too short"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::DdpSegmentFormatRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::DdpSegmentFormatRules, I> {
};
