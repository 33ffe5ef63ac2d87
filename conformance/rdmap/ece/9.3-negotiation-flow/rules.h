// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EceNegotiationFlowRules : Words {
  static constexpr std::string_view kSection = "RFC 6581 9.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-9.3-1", must, any, kSection, api, octets,
       "An error of the negotiation for which no code of its own exists is reported by a Terminate 2/0/05 before the "
       "connection is reset.",
       "What error a side has met locally does not show. A responder that rejects has no FPDUs to say it with: "
       "RDMAP/A-32."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EceNegotiationFlowRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EceNegotiationFlowRules, I> {
};
