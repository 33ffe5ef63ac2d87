// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct ReadrspRules : Words {
  static constexpr std::string_view k3_3Table3_11 = "EFA RDM v4 3.3, table 3.11";
  static constexpr std::string_view kSection = "EFA RDM v4 3.3";
  static constexpr std::string_view k3_3Table3_12 = "EFA RDM v4 3.3, table 3.12";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.3-60", must, responder, k3_3Table3_11, trace, octets,
       "The length in a READRSP is that of the data behind its header.", {}, {readrsp_length_wrong}},
      {"EFA-3.3-61", must, responder, k3_3Table3_11, trace, absence,
       "One of the IDs in a READRSP is the recv_id of a read request of the other side.", "EFA/A-02",
       {readrsp_wrong_recv_id}},
      {"EFA-3.3-62", must, responder, kSection, trace, absence,
       "A read request is answered by one READRSP.", "EFA/A-71", {{readrsp_twice, warning}}},
      {"EFA-3.3-63", must, responder, kSection, trace, absence,
       "The READRSP to a SHORT_RTR carries all that was asked for.", "EFA/A-29", {readrsp_wrong_recv_id}},
      {"EFA-3.3-64", must, responder, kSection, trace, absence,
       "The READRSP to a LONGCTS_RTR carries no more than was asked for."},
      {"EFA-3.3-65", must, responder, k3_3Table3_12, trace, absence,
       "The READRSP to a LONGCTS_RTR carries no more than recv_length of the request allows.",
       "EFA/A-25b: its data counts"},
      {"EFA-3.3-66", must, responder, k3_3Table3_11, trace, absence,
       "send_id and recv_id are in one order in every READRSP of an endpoint.", "EFA/A-02"},
      {"EFA-3.3-67", should, responder, k3_3Table3_11, trace, octets,
       "A READRSP has recv_id before send_id, as all deployed endpoints read them.",
       "EFA/A-02: the order of the table is accepted, and warned of", {{readrsp_wrong_recv_id, warning}}},
      {"EFA-3.3-68", must, responder, k3_3Table3_11, trace, absence,
       "send_id of a READRSP names no other operation of the responder that still waits for its peer.",
       "Of long reads alone: after a short one nothing names it"},
      {"EFA-3.3-69", must, responder, kSection, trace, absence,
       "A long read begins with a READRSP; CTSDATA follow it.",
       "EFA/A-26; judged at the end, and warned of: packets overtake each other, and a capture may lack some"},
      {"EFA-3.3-70", must, responder, kSection, trace, absence,
       "A read request is answered.", "EFA/A-72, EFA/A-85"},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ReadrspRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ReadrspRules, I> {
};
