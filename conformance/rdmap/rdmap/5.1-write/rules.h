// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.1: RDMA Write. What a stimulus can show of it is in write_cases.cc.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct WriteRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 5.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-5.1-1", must, any, kSection, none, octets,
       "An RDMA Write is marked as tagged.", "judged by RDMAP-4.1-10"},
      {"RDMAP-5.1-2", must_not, any, kSection, stimulus, octets,
       "A valid RDMA Write is not delivered to the Data Sink's ULP.", {}, {{send_lost, responder}}},
      {"RDMAP-5.1-3", must, any, kSection, none, octets,
       "An invalid RDMA Write that is delivered to RDMAP surfaces an error.", "judged by DDP-7.1 and RDMAP-7.2"},
      {"RDMAP-5.1-4", must, any, kSection, api, octets,
       "RDMA Writes are issued in the order in which the ULP has submitted them.", "known to the user of the verbs",
       {{work_reordered, "verbs"}}},
      {"RDMAP-5.1-5", must, any, kSection, none, octets,
       "One RDMA Write writes to one tagged buffer; several buffers take several Writes.",
       "judged by DDP-4.2-8: one message has one STag"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::WriteRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::WriteRules, I> {
};
