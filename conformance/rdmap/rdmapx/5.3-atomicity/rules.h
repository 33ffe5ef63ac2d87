// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct AtomicityRules : Words {
  static constexpr std::string_view kSection = "RFC 7306 5.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAPX-5.3-1", must, any, kSection, stimulus, octets,
       "For all streams of an RNIC, an Atomic Operation reads, changes and writes back in one step.", "As RDMAPX-5-1",
       {{atomic_of_stale_word, responder, "rfc7306"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::AtomicityRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::AtomicityRules, I> {
};
