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
       "An enhanced request is answered by an enhanced reply, or by a close.",
       "An accepting reply without S would leave open what has been agreed. Revision 2 with S zero counts as "
       "unenhanced (RDMAP/A-30).", {reply_revision_one, reply_not_enhanced}},
      {"ECE-10-2", must, responder, kSection10, trace, octets,
       "An unenhanced request is answered by an unenhanced reply.", {}, {reply_enhanced_unasked}},
      {"ECE-10-3", must_not, initiator, kSection10, api, octets,
       "An initiator that wants nothing of the enhanced functions does not use their formats.",
       "What it wants is the ULP's to say."},
      {"ECE-10-4", must, responder, kSection10, stimulus, octets,
       "A responder goes on accepting unenhanced requests.", {}, {reply_missing, closes_on_revision_one}},
      {"ECE-10-5", must, responder, kSection10, stimulus, octets,
       "A responder that does not know enhanced requests closes the connection on one.",
       "RDMAP/A-30. Whether it knows them shows in its answer: an enhanced reply, or the close.", {reply_missing}},
      {"ECE-12-1", should, any, kSection12, stimulus, octets,
       "IRD, ORD and the flags that come are checked for sanity.",
       "Recommended. A start frame with S and without the four octets is not properly formatted.",
       {{dies_of_bad_start, responder}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EceInteroperabilityRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EceInteroperabilityRules, I> {
};
