// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MessageDefinitionsRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 4.2, figure 5";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-4.2-1", must, any, kSection, trace, octets,
       "An RDMA Read Request has the whole RDMA Read Request Header of 28 octets (figure 6).", {},
       {{read_request_short, "verbs"}, {read_request_short, initiator}}},
      {"RDMAP-4.2-2", must_not, any, kSection, trace, octets,
       "An RDMA Read Request carries no ULP message: nothing follows its header.", {},
       {{read_request_long, "verbs"}, {read_request_long, initiator}}},
      {"RDMAP-4.2-3", must, any, kSection, none, octets,
       "A Terminate has a Terminate Header.", "Judged by RDMAP-4.8-1"},
      {"RDMAP-4.2-4", must_not, any, kSection, none, octets,
       "A Terminate carries no ULP message.", "RDMAP/A-04: RDMAP-7.1-2 judges what follows its header"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MessageDefinitionsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MessageDefinitionsRules, I> {
};
