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
       "An eager message to the requester is delivered.", {}, {payload_altered}},
      {"EFA-3.2-262", must, requester, kSection, stimulus, octets,
       "A medium message to the requester is delivered whole, in whatever order its segments arrive, also doubled.",
       {}, {{counts_doubled, warning}}},
      {"EFA-3.2-263", must, requester, kSection, stimulus, octets,
       "A message to the requester of which data is missing is not delivered.", {},
       {cts_recv_id_changes, part_delivered}},
      {"EFA-3.2-264", must, requester, kSection, stimulus, octets,
       "A long-CTS message to the requester is allowed by CTS and delivered whole.", {},
       {cts_never, cts_not_again, {counts_doubled, warning}}},
      {"EFA-3.2-265", must, requester, kSection, stimulus, octets,
       "A message to the requester that comes before its turn is delivered then.", {}, {reorder_not_tolerated}},
      {"EFA-3.2-266", must, requester, kSection, stimulus, octets,
       "A message to the requester whose packet comes again does no harm.", {}, {dies_of_duplicate}},
      {"EFA-3.2-267", must, requester, kSection, stimulus, octets,
       "Segments to the requester that contradict each other or their message do no harm.", "E-17",
       {dies_of_contradiction}},
      {"EFA-3.2-268", must, requester, k3_2Table3_6, stimulus, octets,
       "A CTS to the requester for nothing, for more than the rest, doubled, or with another recv_id does no harm.",
       "EFA/A-24", {dies_of_zero_window, dies_of_wide_window}},
      {"EFA-3.2-269", must, requester, k3_2Table3_6, stimulus, octets,
       "With each CTS the requester sends on, until its message is whole.", {}, {data_beyond_window, ctsdata_missing}},
      {"EFA-3.2-270", must, requester, k3_2Table3_7, stimulus, octets,
       "CTSDATA to the requester of a wrong length, beyond the message, or too late do no harm.", {},
       {dies_of_contradiction}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::MessageRequesterRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::MessageRequesterRules, I> {
};
