// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct AtomrspRules : Words {
  static constexpr std::string_view k3_3Table3_15 = "EFA RDM v4 3.3, table 3.15";
  static constexpr std::string_view kSection = "EFA RDM v4 3.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.3-120", must, responder, k3_3Table3_15, trace, octets,
       "A responder sets seg_length of an ATOMRSP to the length of the data after its header.", {},
       {atomrsp_length_wrong}},
      {"EFA-3.3-121", must, responder, k3_3Table3_15, trace, absence,
       "A responder sets recv_id of an ATOMRSP to that of a FETCH_RTA or COMPARE_RTA from the requester.", {},
       {atomrsp_wrong_recv_id}},
      {"EFA-3.3-122", must_not, responder, kSection, trace, absence,
       "A responder does not answer a WRITE_RTA by an ATOMRSP.",
       "EFA/A-30; an ATOMRSP counts as such an answer if no fetching atomic waits for one", {atomrsp_to_write}},
      {"EFA-3.3-123", must, responder, kSection, trace, absence,
       "A responder sends in an ATOMRSP as many octets as the buffers of the request contain."},
      {"EFA-3.3-124", must, responder, kSection, trace, absence,
       "A responder answers a fetching atomic by exactly one ATOMRSP.", "EFA/A-71", {{atomrsp_twice, warning}}},
      {"EFA-3.3-125", must, responder, kSection, trace, absence,
       "A responder answers every FETCH_RTA and COMPARE_RTA.", "EFA/A-72, EFA/A-85"},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::AtomrspRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::AtomrspRules, I> {
};
