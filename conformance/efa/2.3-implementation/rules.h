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
       "An endpoint does not report an error to its application if a HANDSHAKE cannot be sent because the peer has "
       "gone.",
       "The application's completion queue shows it: it has no entry for a HANDSHAKE, whether or not it was sent"},
      {"EFA-2.3-2", should, any, kSection, api, octets,
       "An endpoint can be closed while its HANDSHAKE is still being sent.",
       "A call of fi_close on an endpoint that has just received its first packet shows it"},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ImplementationRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ImplementationRules, I> {
};
