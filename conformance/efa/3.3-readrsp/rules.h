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
       "A responder sets the length field of a READRSP to the length of the data after its header.", {},
       {readrsp_length_wrong}},
      {"EFA-3.3-61", must, responder, k3_3Table3_11, trace, absence,
       "A responder sends in a READRSP the recv_id of a read request from the requester.", "EFA/A-02",
       {readrsp_wrong_recv_id}},
      {"EFA-3.3-62", must, responder, kSection, trace, absence,
       "A responder answers a read request by exactly one READRSP.", "EFA/A-71", {{readrsp_twice, warning}}},
      {"EFA-3.3-63", must, responder, kSection, trace, absence,
       "A responder sends all requested data in the READRSP to a SHORT_RTR.", "EFA/A-29", {readrsp_wrong_recv_id}},
      {"EFA-3.3-64", must, responder, kSection, trace, absence,
       "A responder sends no more than the requested data in the READRSP to a LONGCTS_RTR."},
      {"EFA-3.3-65", must, responder, k3_3Table3_12, trace, absence,
       "A responder sends no more data in the READRSP to a LONGCTS_RTR than recv_length of the request allows.",
       "EFA/A-25b: the data of a READRSP counts"},
      {"EFA-3.3-66", must, responder, k3_3Table3_11, trace, absence,
       "A responder uses the same order of send_id and recv_id in every READRSP.", "EFA/A-02"},
      {"EFA-3.3-67", should, responder, k3_3Table3_11, trace, octets,
       "A responder puts recv_id before send_id in a READRSP, because all deployed endpoints read them in that order.",
       "EFA/A-02: the order of the table is accepted, with a warning", {{readrsp_wrong_recv_id, warning}}},
      {"EFA-3.3-68", must, responder, k3_3Table3_11, trace, absence,
       "A responder does not reuse in a READRSP the send_id of another operation that still waits for the requester.",
       "Judged for long reads only: after a short read nothing names it"},
      {"EFA-3.3-69", must, responder, kSection, trace, absence,
       "A responder begins a long read with a READRSP, followed by CTSDATA.",
       "EFA/A-26; a violation is a warning at the end: packets overtake each other, and a capture may lack some"},
      {"EFA-3.3-70", must, responder, kSection, trace, absence,
       "A responder answers every read request.", "EFA/A-72, EFA/A-85"},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ReadrspRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ReadrspRules, I> {
};
