// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 9: the enhanced data; 9.3: the order of its use.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EceEnhancedDataRules : Words {
  static constexpr std::string_view kSection = "RFC 6581 9";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-9-1", must, any, kSection, none, octets,
       "A sender sends the enhanced data in network octet order.",
       "Any four octets are valid enhanced data: in another order they are other values, which are judged as such."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EceEnhancedDataRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EceEnhancedDataRules, I> {
};
