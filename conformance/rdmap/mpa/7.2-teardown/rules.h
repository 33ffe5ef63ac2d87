// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaTeardownRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 7.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-7.2-1", must, any, kSection, trace, octets,
       "A half connection of MPA ends with that of TCP: a sender sends nothing after the FIN.",
       "The text has no key word; octets after a FIN break TCP as well. A capture of TCP does not fail it: TCP delivers "
       "no such octets, and they are reported as a problem with the input"},
      {"MPA-7.2-2", should, any, kSection, api, octets,
       "MPA can report to DDP that the peer has closed TCP gracefully.",
       "Inside one implementation; verbs show an event.", {{disconnect_not_told, "verbs"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaTeardownRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaTeardownRules, I> {
};
