// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaTcpRules : Words {
  static constexpr std::string_view kSection5_1 = "RFC 5044 5.1";
  static constexpr std::string_view kSection5_2 = "RFC 5044 5.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-5.1-1", should, any, kSection5_1, none, octets,
       "A sender calculates MULPDU as 4.5 specifies.", "Judged as MPA-4.5-1 and MPA-4.5-2."},
      {"MPA-5.1-2", should, any, kSection5_1, api, octets,
       "If TCP does not report EMSS, a sender uses the MTU as a likely FPDU size.",
       "Only the implementation knows what TCP reports."},
      {"MPA-5.1-3", should, any, kSection5_1, trace, octets,
       "A sender begins TCP segments with FPDUs (FPDU Alignment) as far as TCP allows.",
       "Alignment may be lost for good reasons, so a sender is warned only if most of its FPDUs lie in two "
       "segments although one could have held them. Judged if the MSS is known and no piece of the stream is longer, "
       "which would show that segments were merged. The only check that depends on the segmentation of the stream.",
       {}, Sees::segments},
      {"MPA-5.1-4", must, any, kSection5_1, stimulus, octets,
       "A receiver accepts any alignment: FPDUs that are split anywhere, sent octet by octet, or packed.",
       "Appendix A.4 says the same.", {{send_lost, responder}}},
      {"MPA-5.2-1", must, any, kSection5_2, stimulus, octets,
       "A receiver over an ordinary TCP finds FPDUs by ULPDU_Length.", {}, {{send_lost, responder}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaTcpRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaTcpRules, I> {
};
