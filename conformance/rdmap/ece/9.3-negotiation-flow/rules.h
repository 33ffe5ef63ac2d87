// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EceNegotiationFlowRules : Words {
  static constexpr std::string_view kSection = "RFC 6581 9.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-9.3-1", must, any, kSection, api, octets,
       "For a negotiation error without a code of its own, a side sends a Terminate 2/0/05 before it resets the "
       "connection.",
       "A local error is not visible. A responder that rejects has no FPDU to report it in: RDMAP/A-32."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EceNegotiationFlowRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EceNegotiationFlowRules, I> {
};
