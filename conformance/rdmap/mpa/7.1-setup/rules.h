// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaSetupRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 7.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-7.1-1", must, any, kSection, none, octets,
       "MPA is activated at the same place of the octet stream at both ends.",
       "Another place shows as a wrong key, a missing start frame, or FPDUs that cannot be found."},
      {"MPA-7.1-2", must, any, kSection, api, octets,
       "A DDP endpoint is bound to the connection when Full Operation begins.",
       "Inside one implementation; verbs show a queue pair that is connected.",
       {{queue_pair_not_bound, "verbs pair"}}},
      {"MPA-7.1-3", must, any, kSection, trace, octets,
       "One side starts as Initiator, the other as Responder; the ULP sees to that.",
       "The text leaves how to the ULP, with a small must: warned, also where the second Request acknowledges the "
       "first: TCP had that, and MPA need not have read it. What MPA does about it is MPA-7.1.2-10."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaSetupRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaSetupRules, I> {
};
