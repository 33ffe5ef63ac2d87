// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct EorRules : Words {
  static constexpr std::string_view k4_1Table4_2 = "EFA RDM v4 4.1, table 4.2";
  static constexpr std::string_view kSection = "EFA RDM v4 4.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-4.1-20", must, responder, k4_1Table4_2, trace, octets,
       "An EOR has its fourth word, be it connid or padding.",
       "EFA/A-08: early releases leave it out, which is warned of", {{eor_of_twelve_octets, warning}}},
      {"EFA-4.1-21", must, responder, k4_1Table4_2, trace, absence,
       "send_id of an EOR is that of a request of the other side whose data is to be read.", "EFA/A-34b, EFA/A-49",
       {eor_wrong_send_id}},
      {"EFA-4.1-22", must, responder, kSection, trace, absence,
       "A request whose data is read is answered by one EOR.", "EFA/A-71", {{eor_twice, warning}}},
      {"EFA-4.1-23", must, responder, kSection, trace, absence,
       "The receiver sends an EOR when it has read the data.",
       "EFA/A-72, EFA/A-85: a warning, as its read may have failed; a message may want a receive as well"},
      {"EFA-4.1-24", must, responder, kSection, stimulus, octets,
       "The EOR follows when all reads are finished, not before.",
       "RDMA reads are no packets of this protocol; a buffer that is used anew as soon as the EOR is there shows it",
       {eor_early}},
      {"EFA-4.1-25", must, requester, kSection, api, octets,
       "The sender of a message whose data is read writes its completion after the EOR has come.",
       "Only the application sees its completion queue: it must stay empty while the EOR is held back"},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::EorRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::EorRules, I> {
};
