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
       "An EOR contains its fourth word, which is connid or padding.",
       "EFA/A-08: early releases leave it out, which is a warning", {{eor_of_twelve_octets, warning}}},
      {"EFA-4.1-21", must, responder, k4_1Table4_2, trace, absence,
       "A responder sets send_id of an EOR to that of a request from the requester whose data is to be read.",
       "EFA/A-34b, EFA/A-49", {eor_wrong_send_id}},
      {"EFA-4.1-22", must, responder, kSection, trace, absence,
       "A responder answers a request whose data it reads by exactly one EOR.", "EFA/A-71", {{eor_twice, warning}}},
      {"EFA-4.1-23", must, responder, kSection, trace, absence,
       "A responder sends an EOR when it has read the data.",
       "EFA/A-72, EFA/A-85: a missing EOR is a warning, as the read may have failed. A message may also wait for a "
       "receive"},
      {"EFA-4.1-24", must, responder, kSection, stimulus, octets,
       "A responder sends the EOR only after all its reads have finished.",
       "RDMA reads are not packets of this protocol. Reusing a buffer as soon as the EOR has come shows it",
       {eor_early}},
      {"EFA-4.1-25", must, requester, kSection, api, octets,
       "A requester writes the completion of a message whose data is read only after the EOR has come.",
       "Only the application sees its completion queue, which must stay empty while the EOR is held back"},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::EorRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::EorRules, I> {
};
