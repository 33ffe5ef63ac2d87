// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct UserRecvQpRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 4.8 (2.6)";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-4.8-1", must, any, kSection, trace, octets,
       "An endpoint announces ID 7 in a HANDSHAKE if and only if the HANDSHAKE contains the user receive QP."},
      {"EFA-4.8-2", should_not, any, kSection, trace, octets,
       "An endpoint of 2.6 or later announces neither ID 2 nor ID 7.",
       "EFA/A-91: both are legacy, and supported only for earlier peers"},
      {"EFA-4.8-3", must_not, any, kSection, trace, absence,
       "An endpoint sends no message to the default queue pair of a receiver that has announced a user receive QP.",
       "EFA/A-98: judged for senders whose document has ID 7", {{user_recv_qp_ignored, requester, "later documents"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::UserRecvQpRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::UserRecvQpRules, I> {
};
