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
       "A sender calculates MULPDU as 4.5 says.", "Judged as MPA-4.5-1 and MPA-4.5-2."},
      {"MPA-5.1-2", should, any, kSection5_1, api, octets,
       "Where TCP does not report EMSS, a sender takes the MTU for a likely FPDU size.",
       "What TCP reports is known inside the implementation."},
      {"MPA-5.1-3", should, any, kSection5_1, trace, octets,
       "A sender does what TCP allows to begin segments with FPDUs (FPDU Alignment).",
       "Alignment may be lost for good reasons, so a sender is warned only where most of its FPDUs lie in two "
       "segments although one could have held them. Judged where the MSS is known and no piece of the stream is "
       "longer, which would show that segments have been put together. The one check that depends on how the stream "
       "is cut.", {}, Sees::segments},
      {"MPA-5.1-4", must, any, kSection5_1, stimulus, octets,
       "A receiver works whatever the alignment: FPDUs cut anywhere, octet by octet, or packed.",
       "Appendix A.4 says the same.", {{send_lost, responder}}},
      {"MPA-5.2-1", must, any, kSection5_2, stimulus, octets,
       "A receiver above an ordinary TCP finds FPDUs by ULPDU_Length.", {}, {{send_lost, responder}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaTcpRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaTcpRules, I> {
};
