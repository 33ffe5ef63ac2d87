// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 7.1.5: two stacks at one connection.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaDualStackRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 7.1.5";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-7.1.5-1", should, any, kSection, api, octets,
       "DDP and MPA are enabled only while no more streaming data is expected to come.",
       "What the ULP expects is known above MPA."},
      {"MPA-7.1.5-2", must, any, kSection, none, octets,
       "TCP's rules are kept while the stacks change: what is lost or overtaken is put right.",
       "TCP is not judged here; octets that go missing show as FPDUs that do not hold."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaDualStackRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaDualStackRules, I> {
};
