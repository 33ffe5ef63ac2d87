// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 1.2: requirements in the overview.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaOverviewRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 1.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-1.2-1", must, any, kSection, api, octets,
       "A receiver that recovers ULPDUs out of order reports their order to DDP, and when missing ones have come.",
       "Between MPA and DDP inside one implementation; a verbs consumer sees completions in order."},
      {"MPA-1.2-2", must, any, kSection, api, octets,
       "CRCs are in use unless the path is known to protect data at least as well.",
       "Only the administrator knows the path; MPA-4.4-2 gives a warning if CRCs are not requested."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaOverviewRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaOverviewRules, I> {
};
