// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct CtsdataRules : Words {
  static constexpr std::string_view k3_2Table3_7 = "EFA RDM v4 3.2, table 3.7";
  static constexpr std::string_view k3_2LongCTSMessage = "EFA RDM v4 3.2, Long-CTS message";
  static constexpr std::string_view k3_2SegOffset = "EFA RDM v4 3.2, seg_offset";
  static constexpr std::string_view k3_2RecvLength = "EFA RDM v4 3.2, recv_length";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.2-140", must, any, k3_2Table3_7, trace, absence,
       "recv_id of a CTSDATA is that of the CTS which allowed it.",
       "of a read, also that of the LONGCTS_RTR (EFA/A-33)", {ctsdata_wrong_recv_id}},
      {"EFA-3.2-141", must_not, any, k3_2LongCTSMessage, trace, absence,
       "No CTSDATA is sent before the first CTS of its operation.",
       "the LONGCTS_RTR of a read is its first CTS (3.3)", {{data_before_cts, requester}}},
      {"EFA-3.2-142", must, any, k3_2Table3_7, trace, octets,
       "seg_length of a CTSDATA is the length of the data behind its header.", {},
       {{connid_unannounced, responder}, ctsdata_length_long, ctsdata_length_short}},
      {"EFA-3.2-143", should, any, k3_2LongCTSMessage, trace, octets,
       "A CTSDATA carries application data.", "No text forbids an empty one: warned."},
      {"EFA-3.2-144", must_not, any, k3_2SegOffset, trace, absence,
       "No CTSDATA reaches beyond the end of its message."},
      {"EFA-3.2-145", must_not, any, k3_2RecvLength, trace, absence,
       "The sender sends no more octets than CTS packets have allowed.", "EFA/A-23, EFA/A-24, EFA/A-25",
       {data_beyond_window, ctsdata_offset_shifted, {ctsdata_twice, responder, "stimulus"}}},
      {"EFA-3.2-146", must_not, any, k3_2SegOffset, trace, absence,
       "No octet of a message is sent in two CTSDATA packets.", "EFA/A-76",
       {ctsdata_offset_zero, {ctsdata_twice, warning}}},
      {"EFA-3.2-147", must, any, k3_2Table3_7, trace, absence,
       "seg_offset counts from the beginning of the message, the data of its REQ packet included.",
       "EFA/A-22, EFA/A-23", {{connid_padded, requester}, {ctsdata_offset_zero, requester}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::CtsdataRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::CtsdataRules, I> {
};
