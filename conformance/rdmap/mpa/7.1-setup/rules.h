// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaSetupRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 7.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-7.1-1", must, any, kSection, none, octets,
       "Both sides activate MPA at the same place in the octet stream.",
       "Another place shows as a wrong key, a missing start frame, or FPDUs that cannot be found."},
      {"MPA-7.1-2", must, any, kSection, api, octets,
       "A side binds a DDP endpoint to the connection when Full Operation begins.",
       "Inside one implementation; verbs show a connected queue pair.", {{queue_pair_not_bound, "verbs pair"}}},
      {"MPA-7.1-3", must, any, kSection, trace, octets,
       "The ULP makes one side start as Initiator and the other as Responder.",
       "A small must, which leaves the means to the ULP: a warning, even if the second Request acknowledges the "
       "first, since MPA need not have read what TCP has. MPA-7.1.2-10 judges MPA's reaction."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaSetupRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaSetupRules, I> {
};
