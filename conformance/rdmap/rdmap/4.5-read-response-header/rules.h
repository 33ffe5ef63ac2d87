// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.5.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct ReadResponseHeaderRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 4.5";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-4.5-1", must, any, kSection, none, octets,
       "An RDMA Read Response has no RDMAP header: ULP payload immediately follows the DDP header.",
       "A header would make the response longer than requested: judged by RDMAP-4.4-5"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::ReadResponseHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::ReadResponseHeaderRules, I> {
};
