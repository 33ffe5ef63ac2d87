// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct EagerRules : Words {
  static constexpr std::string_view k3_2EagerMessage = "EFA RDM v4 3.2, Eager message";
  static constexpr std::string_view k3_2Table3_3 = "EFA RDM v4 3.2, table 3.3";
  static constexpr std::string_view kSection = "EFA RDM v4 3.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-3.2-20", must, requester, k3_2EagerMessage, api, octets,
       "A requester sends the whole message of the application in an eager packet.",
       "The packet does not declare the length of the message. Only the sending application knows it", {connid_padded}},
      {"EFA-3.2-211", must, responder, k3_2Table3_3, stimulus, octets,
       "A responder delivers an EAGER_MSGRTM with all the data after its headers.", {}, {dies_of_long_raw_address}},
      {"EFA-3.2-212", must, responder, k3_2Table3_3, stimulus, octets,
       "A responder delivers an EAGER_TAGRTM with all the data after its headers.", {},
       {{wrap_not_tolerated, "near the last msg_id"}}},
      {"EFA-3.2-213", must, responder, kSection, stimulus, octets,
       "A responder treats the msg_id values of different peers as independent.", {}, {reorder_not_tolerated}},
      {"EFA-3.2-214", must, responder, kSection, stimulus, octets,
       "A responder keeps a message that comes before its receive until the receive is posted.", {},
       {{wrap_not_tolerated, "near the last msg_id"}}},
      {"EFA-3.2-215", must, responder, kSection, stimulus, octets,
       "After a message longer than the receive that takes it, a responder keeps working and delivers the next "
       "message.", "Tried only if the length of a receive is known (parameter receive)",
       {{dies_of_truncation, "small receives"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::EagerRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::EagerRules, I> {
};
