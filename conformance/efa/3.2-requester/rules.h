// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct MessageRequesterRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 3.2";
  static constexpr std::string_view k3_2Table3_6 = "EFA RDM v4 3.2, table 3.6";
  static constexpr std::string_view k3_2Table3_7 = "EFA RDM v4 3.2, table 3.7";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.2-261", must, requester, kSection, stimulus, octets,
       "A requester delivers an eager message that it receives.", {}, {payload_altered}},
      {"EFA-3.2-262", must, requester, kSection, stimulus, octets,
       "A requester delivers a medium message whole, even if its segments arrive out of order or duplicated.", {},
       {{counts_doubled, warning}}},
      {"EFA-3.2-263", must, requester, kSection, stimulus, octets,
       "A requester does not deliver a received message that lacks data.", {}, {cts_recv_id_changes, part_delivered}},
      {"EFA-3.2-264", must, requester, kSection, stimulus, octets,
       "A requester allows a long-CTS message by CTS, and delivers it whole.", {},
       {cts_never, cts_not_again, {counts_doubled, warning}}},
      {"EFA-3.2-265", must, requester, kSection, stimulus, octets,
       "A requester holds a message that arrives early, and delivers it when it is due.", {}, {reorder_not_tolerated}},
      {"EFA-3.2-266", must, requester, kSection, stimulus, octets,
       "A requester keeps working after a repeated packet of a message.", {}, {dies_of_duplicate}},
      {"EFA-3.2-267", must, requester, kSection, stimulus, octets,
       "A requester keeps working after segments that contradict each other or their message.", "E-17",
       {dies_of_contradiction}},
      {"EFA-3.2-268", must, requester, k3_2Table3_6, stimulus, octets,
       "A requester keeps working after a CTS that allows nothing or too much, is duplicated, or has another recv_id.",
       "EFA/A-24", {dies_of_zero_window, dies_of_wide_window}},
      {"EFA-3.2-269", must, requester, k3_2Table3_6, stimulus, octets,
       "A requester sends more data after each CTS until its message is complete.", {},
       {data_beyond_window, ctsdata_missing}},
      {"EFA-3.2-270", must, requester, k3_2Table3_7, stimulus, octets,
       "A requester keeps working after CTSDATA of a wrong length, beyond the message, or too late.", {},
       {dies_of_contradiction}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::MessageRequesterRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::MessageRequesterRules, I> {
};
