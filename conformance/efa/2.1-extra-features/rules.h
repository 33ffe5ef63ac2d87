// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/sheet.h"

namespace wirelaw::efa {

struct ExtraFeaturesRules : Words {
  static constexpr std::string_view kSection = "EFA RDM v4 2.1";
  static constexpr std::string_view k2_1Table2_1 = "EFA RDM v4 2.1, table 2.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"EFA-2.1-20", must, any, kSection, trace, absence,
       "An endpoint sends only packets of baseline features until it has received the peer's HANDSHAKE.",
       "EFA/A-18, EFA/A-35, EFA/A-40, EFA/A-88",
       {{extras_before_handshake, requester, warning}, {extras_before_handshake, requester, warning, "stimulus"}}},
      {"EFA-2.1-21", must_not, requester, k2_1Table2_1, trace, absence,
       "A requester does not send LONGREAD requests to a peer that has not announced RDMA read.", "EFA/A-18, EFA/A-50"},
      {"EFA-2.1-22", must_not, requester, k2_1Table2_1, trace, absence,
       "A requester does not send delivery complete requests to a peer that has not announced delivery complete.",
       "EFA/A-18", {{extras_not_announced, warning}}},
      {"EFA-2.1-23", must_not, requester, k2_1Table2_1, trace, absence,
       "A requester does not send RUNTREAD requests to a peer that has not announced runting read.",
       "EFA/A-18, EFA/A-50"},
      {"EFA-2.1-24", must_not, responder, k2_1Table2_1, trace, absence,
       "A responder does not send a READ_NACK to a peer that has not announced read nack.", "EFA/A-18",
       {{nack_not_announced, warning}}},
      {"EFA-2.1-25", must, requester, kSection, api, octets,
       "A requester returns an error for a call that requires an extra feature that the peer does not support.",
       "The completion of the call shows it. A trace only shows that nothing is sent"},
      {"EFA-2.1-26", must, any, kSection, api, octets,
       "An endpoint whose peer ignores its extra request continues without it, or returns an error to the "
       "application.", "The completions show what the endpoint does with a received packet", {connid_needed}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ExtraFeaturesRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ExtraFeaturesRules, I> {
};
