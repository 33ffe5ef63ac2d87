// SPDX-License-Identifier: Apache-2.0
// EFA RDM v4, 2.3: the HANDSHAKE and the application.
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct ImplementationRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 2.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-2.3-1", must_not, any, kSection, api, octets,
       "A HANDSHAKE that cannot be sent, as its peer has gone, is no error of the application's.",
       "the application's completion queue shows it: no entry for a HANDSHAKE, whatever became of it"},
      {"EFA-2.3-2", should, any, kSection, api, octets,
       "An endpoint can be closed while its HANDSHAKE is on its way.",
       "fi_close of an endpoint that has just taken its first packet shows it"},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ImplementationRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ImplementationRules, I> {
};
