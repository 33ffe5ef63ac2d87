// SPDX-License-Identifier: Apache-2.0
// RFC 7306, section 8: errors, and the Terminates that answer them.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct LocalErrorsRules : Words {
  static constexpr std::string_view kSection = "RFC 7306 8.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAPX-8.1-1", must, any, kSection, api, octets,
       "If an error occurs while it creates one of these messages, RDMAP sends a Terminate without headers instead.",
       "RDMAP/A-20: only the application can cause such an error", {{terminate_missing, "verbs"}}},
      {"RDMAPX-8.1-2", must, any, kSection, stimulus, octets,
       "A receiver sends a Terminate for an error in one of these messages.", {}, {{accepts_stag, "rfc7306"}}},
      {"RDMAPX-8.1-3", must, any, kSection, stimulus, octets,
       "The Terminate for one of these messages has type, code and terminated DDP header, but no RDMA header.",
       "RDMAP/A-36", {{terminate_no_headers, warning, "rfc7306"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::LocalErrorsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::LocalErrorsRules, I> {
};
