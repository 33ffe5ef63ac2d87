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
       "An eager packet carries the whole of the application's message.",
       "The packet does not say how long the message is: only the application that sent it knows", {connid_padded}},
      {"EFA-3.2-211", must, responder, k3_2Table3_3, stimulus, octets,
       "An EAGER_MSGRTM is delivered with all the data behind its headers.", {}, {dies_of_long_raw_address}},
      {"EFA-3.2-212", must, responder, k3_2Table3_3, stimulus, octets,
       "An EAGER_TAGRTM is delivered with all the data behind its headers.", {},
       {{wrap_not_tolerated, "near the last msg_id"}}},
      {"EFA-3.2-213", must, responder, kSection, stimulus, octets,
       "The msg_id of one peer have nothing to do with those of another.", {}, {reorder_not_tolerated}},
      {"EFA-3.2-214", must, responder, kSection, stimulus, octets,
       "A message that comes before its receive is kept until it is there.", {},
       {{wrap_not_tolerated, "near the last msg_id"}}},
      {"EFA-3.2-215", must, responder, kSection, stimulus, octets,
       "A message that is longer than the receive that takes it does no harm, and the next one is delivered.",
       "only where the octets of a receive are known (parameter receive)", {{dies_of_truncation, "small receives"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::EagerRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::EagerRules, I> {
};
