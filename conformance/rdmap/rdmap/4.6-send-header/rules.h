// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.6.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct SendHeaderRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 4.6";
  static constexpr std::string_view kLooksLikePayload =
      "Without knowledge of the ULP's data, it looks like payload; the ULP sees it";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-4.6-1", must, any, kSection, api, octets,
       "A Send has no RDMAP header: ULP payload immediately follows the DDP header.", kLooksLikePayload,
       {{header_before_payload, "verbs"}}},
      {"RDMAP-4.6-2", must, any, kSection, api, octets,
       "A Send with Solicited Event has no RDMAP header: ULP payload immediately follows the DDP header.", kLooksLikePayload,
       {{header_before_payload, "verbs"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::SendHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::SendHeaderRules, I> {
};
