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
       "seg_length of an ATOMRSP is the length of the data behind its header.", {}, {atomrsp_length_wrong}},
      {"EFA-3.3-121", must, responder, k3_3Table3_15, trace, absence,
       "recv_id of an ATOMRSP is that of a FETCH_RTA or COMPARE_RTA of the other side.", {}, {atomrsp_wrong_recv_id}},
      {"EFA-3.3-122", must_not, responder, kSection, trace, absence,
       "A WRITE_RTA is not answered by an ATOMRSP.",
       "EFA/A-30; an ATOMRSP is taken for such an answer where no fetching atomic is without one", {atomrsp_to_write}},
      {"EFA-3.3-123", must, responder, kSection, trace, absence,
       "An ATOMRSP carries as many octets as the buffers of its request hold."},
      {"EFA-3.3-124", must, responder, kSection, trace, absence,
       "A fetching atomic is answered by one ATOMRSP.", "EFA/A-71", {{atomrsp_twice, warning}}},
      {"EFA-3.3-125", must, responder, kSection, trace, absence,
       "A FETCH_RTA or COMPARE_RTA is answered.", "EFA/A-72, EFA/A-85"},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::AtomrspRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::AtomrspRules, I> {
};
