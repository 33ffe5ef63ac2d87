// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct PaddingRules : Words {
  static constexpr std::string_view k3_3Tables3_10_3_13_1_4Table1_5 =
      "EFA RDM v4 3.3, tables 3.10, 3.13; 1.4, table 1.5";
  static constexpr std::string_view k3_2Table3_6 = "EFA RDM v4 3.2, table 3.6";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.1-205", must, responder, k3_3Tables3_10_3_13_1_4Table1_5, stimulus, octets,
       "A responder ignores the contents of padding in requests and raw addresses.", {}, {padding_compared}},
      {"EFA-3.2-285", must, any, k3_2Table3_6, stimulus, octets,
       "An endpoint ignores the contents of padding and reserved words in CTS, CTSDATA, READRSP and ATOMRSP.",
       "Deployed senders leave arbitrary contents there", {padding_compared}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::PaddingRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::PaddingRules, I> {
};
