// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.1: RDMA Write. The cases are in write_cases.cc.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct WriteRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 5.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-5.1-1", must, any, kSection, none, octets,
       "A sender marks an RDMA Write as tagged.", "Judged by RDMAP-4.1-10"},
      {"RDMAP-5.1-2", must_not, any, kSection, stimulus, octets,
       "RDMAP does not deliver a valid RDMA Write to the Data Sink's ULP.", {}, {{send_lost, responder}}},
      {"RDMAP-5.1-3", must, any, kSection, none, octets,
       "RDMAP surfaces an error if DDP delivers an invalid RDMA Write.", "Judged by DDP-7.1 and RDMAP-7.2"},
      {"RDMAP-5.1-4", must, any, kSection, api, octets,
       "RDMAP issues RDMA Writes in the order in which the ULP submitted them.", "Only the user of the verbs knows it",
       {{work_reordered, "verbs"}}},
      {"RDMAP-5.1-5", must, any, kSection, none, octets,
       "One RDMA Write writes to one tagged buffer; the ULP uses several Writes for several buffers.",
       "Judged by DDP-4.2-8: one message has one STag"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::WriteRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::WriteRules, I> {
};
