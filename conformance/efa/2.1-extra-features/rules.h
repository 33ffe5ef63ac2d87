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
       "Until the peer's HANDSHAKE has come, only packets of baseline features are sent to it.",
       "EFA/A-18, EFA/A-35, EFA/A-40, EFA/A-88",
       {{extras_before_handshake, requester, warning}, {extras_before_handshake, requester, warning, "stimulus"}}},
      {"EFA-2.1-21", must_not, requester, k2_1Table2_1, trace, absence,
       "LONGREAD requests are not sent to a peer that has not announced RDMA read.", "EFA/A-18, EFA/A-50"},
      {"EFA-2.1-22", must_not, requester, k2_1Table2_1, trace, absence,
       "Delivery complete requests are not sent to a peer that has not announced delivery complete.", "EFA/A-18",
       {{extras_not_announced, warning}}},
      {"EFA-2.1-23", must_not, requester, k2_1Table2_1, trace, absence,
       "RUNTREAD requests are not sent to a peer that has not announced runting read.", "EFA/A-18, EFA/A-50"},
      {"EFA-2.1-24", must_not, responder, k2_1Table2_1, trace, absence,
       "A READ_NACK is not sent to a peer that has not announced read nack.", "EFA/A-18",
       {{nack_not_announced, warning}}},
      {"EFA-2.1-25", must, requester, kSection, api, octets,
       "Where the application needs an extra feature that the peer does not have, its call ends with an error.",
       "the completion of the call shows it; in a trace nothing is sent"},
      {"EFA-2.1-26", must, any, kSection, api, octets,
       "An endpoint whose extra request is not complied with carries on without, or ends with an error.",
       "what it does with a packet that came is in its completions", {connid_needed}},
  };
  // clang-format on
};

}  // namespace wirelaw::efa

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::efa::ExtraFeaturesRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::efa::ExtraFeaturesRules, I> {
};
