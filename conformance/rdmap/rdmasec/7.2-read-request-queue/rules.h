// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct ReadRequestQueueRules : Words {
  static constexpr std::string_view kSection = "RFC 5042 7.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMASEC-7.2-1", must, any, kSection, api, octets,
       "Only a trusted local peer can use interfaces that allocate Read Request queue entries.",
       "The verbs that register memory and create queues show it"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::ReadRequestQueueRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::ReadRequestQueueRules, I> {
};
