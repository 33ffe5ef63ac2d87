// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EceReadyToReceiveRules : Words {
  static constexpr std::string_view kSection5 = "RFC 6581 5";
  static constexpr std::string_view kSection9_2 = "RFC 6581 9.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-5-1", must_not, initiator, kSection5, trace, octets,
       "If both sides have set A, the initiator sends nothing before its ready-to-receive indication.",
       "A zero-length Send, Write or Read. A Terminate instead is right if the sides cannot agree on an indication.",
       {rtr_missing, rtr_not_empty}},
      {"ECE-5-2", should, any, kSection5, api, octets,
       "The ULP can request an explicit ready-to-receive indication.",
       "The interface to the ULP shows it; the text says \"needs to\"."},
      {"ECE-9.2-9", must, initiator, kSection9_2, trace, octets,
       "The initiator's ready-to-receive indication is of a kind that the reply offers.",
       "Any kind of the reply is right, even one that the request did not name. A missing indication: RDMAP/A-63. A "
       "reply that offers none: RDMAP/A-52.", {rtr_not_agreed}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EceReadyToReceiveRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EceReadyToReceiveRules, I> {
};
