// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct OneSidedRequesterRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 3.3";
  static constexpr std::string_view k3_3Table3_11 = "EFA RDM v4 3.3, table 3.11";
  static constexpr std::string_view k3_3Table3_15 = "EFA RDM v4 3.3, table 3.15";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.3-261", must, requester, kSection, stimulus, octets,
       "A requester accepts the data of a long read in any order, and duplicated data.",
       "1.1: the device does not keep packets in order", {dies_of_data_before_readrsp}},
      {"EFA-3.3-262", must, requester, kSection, stimulus, octets,
       "A requester does not complete a read that lacks data.", {}, {readrsp_ends_reads}},
      {"EFA-3.3-263", must, requester, k3_3Table3_11, stimulus, octets,
       "A requester keeps working after a READRSP whose length differs from the declared or the requested length.", {},
       {dies_of_contradiction, dies_of_data_before_readrsp}},
      {"EFA-3.3-264", must, requester, k3_3Table3_11, stimulus, octets,
       "A requester keeps working after a repeated READRSP, even one that comes late.", {}, {answers_lost}},
      {"EFA-3.3-265", must, requester, k3_3Table3_15, stimulus, octets,
       "A requester keeps working after an ATOMRSP whose length differs from the declared or the requested length.",
       {}, {dies_of_contradiction}},
      {"EFA-3.3-266", must, requester, k3_3Table3_15, stimulus, octets,
       "A requester keeps working after a repeated ATOMRSP, even one that comes late.", {}, {msg_id_per_kind}},
      {"EFA-3.3-267", must, requester, kSection, stimulus, octets,
       "A requester accepts the correct answer to a read or an atomic.", {}, {msg_id_per_kind, answers_lost}},
      {"EFA-3.3-268", must, requester, kSection, stimulus, octets,
       "A requester keeps working after CTSDATA of a read whose READRSP does not come.", "EFA/A-26",
       {dies_of_data_before_readrsp}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::OneSidedRequesterRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::OneSidedRequesterRules, I> {
};
