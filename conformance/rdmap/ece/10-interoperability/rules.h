// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EceInteroperabilityRules : Words {
  static constexpr std::string_view kSection10 = "RFC 6581 10";
  static constexpr std::string_view kSection12 = "RFC 6581 12";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-10-1", must, responder, kSection10, trace, octets,
       "The responder answers an enhanced request with an enhanced reply, or closes the connection.",
       "An accepting reply without S would leave the agreed values open. Revision 2 with S zero counts as unenhanced "
       "(RDMAP/A-30).", {reply_revision_one, reply_not_enhanced}},
      {"ECE-10-2", must, responder, kSection10, trace, octets,
       "The responder answers an unenhanced request with an unenhanced reply.", {}, {reply_enhanced_unasked}},
      {"ECE-10-3", must_not, initiator, kSection10, api, octets,
       "An initiator that needs none of the enhanced functions does not use their formats.",
       "The ULP decides what it needs."},
      {"ECE-10-4", must, responder, kSection10, stimulus, octets,
       "A responder accepts unenhanced requests.", {}, {reply_missing, closes_on_revision_one}},
      {"ECE-10-5", must, responder, kSection10, stimulus, octets,
       "A responder that does not support enhanced requests closes the connection when it gets one.",
       "RDMAP/A-30. Its answer shows whether it supports them: an enhanced reply, or a close.", {reply_missing}},
      {"ECE-12-1", should, any, kSection12, stimulus, octets,
       "A receiver checks IRD, ORD and the flags for plausible values.",
       "Recommended. A start frame with S and without the four octets is malformed.",
       {{dies_of_bad_start, responder}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EceInteroperabilityRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EceInteroperabilityRules, I> {
};
