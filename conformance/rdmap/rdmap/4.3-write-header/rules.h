// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.3. The cases of other sections judge it.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct WriteHeaderRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 4.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-4.3-1", must, any, kSection, api, octets,
       "An RDMA Write has no RDMAP header: ULP payload immediately follows the DDP header.",
       "Without knowledge of the ULP's data, a header looks like payload; it shows in the buffer that was written",
       {{header_before_payload, "verbs"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::WriteHeaderRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::WriteHeaderRules, I> {
};
