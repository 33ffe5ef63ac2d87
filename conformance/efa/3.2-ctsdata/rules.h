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
       "An endpoint uses the recv_id of the CTS that allowed the data in each CTSDATA.",
       "For a read, also the recv_id of the LONGCTS_RTR (EFA/A-33)", {ctsdata_wrong_recv_id}},
      {"EFA-3.2-141", must_not, any, k3_2LongCTSMessage, trace, absence,
       "An endpoint sends no CTSDATA before it has received the first CTS of the operation.",
       "The LONGCTS_RTR of a read is its first CTS (3.3)", {{data_before_cts, requester}}},
      {"EFA-3.2-142", must, any, k3_2Table3_7, trace, octets,
       "An endpoint sets seg_length of a CTSDATA to the number of data octets after its header.", {},
       {{connid_unannounced, responder}, ctsdata_length_long, ctsdata_length_short}},
      {"EFA-3.2-143", should, any, k3_2LongCTSMessage, trace, octets,
       "An endpoint sends application data in every CTSDATA.", "No text forbids an empty one, so it is a warning."},
      {"EFA-3.2-144", must_not, any, k3_2SegOffset, trace, absence,
       "An endpoint sends no CTSDATA that extends beyond the end of its message."},
      {"EFA-3.2-145", must_not, any, k3_2RecvLength, trace, absence,
       "An endpoint does not send more octets than the CTS packets have allowed.", "EFA/A-23, EFA/A-24, EFA/A-25",
       {data_beyond_window, ctsdata_offset_shifted, {ctsdata_twice, responder, "stimulus"}}},
      {"EFA-3.2-146", must_not, any, k3_2SegOffset, trace, absence,
       "An endpoint does not send any octet of a message in two CTSDATA packets.", "EFA/A-76",
       {ctsdata_offset_zero, {ctsdata_twice, warning}}},
      {"EFA-3.2-147", must, any, k3_2Table3_7, trace, absence,
       "An endpoint counts seg_offset from the beginning of the message, including the data of its REQ packet.",
       "EFA/A-22, EFA/A-23", {{connid_padded, requester}, {ctsdata_offset_zero, requester}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::CtsdataRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::CtsdataRules, I> {
};
