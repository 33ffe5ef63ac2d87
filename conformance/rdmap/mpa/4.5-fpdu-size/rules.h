// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaFpduSizeRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 4.5";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-4.5-1", must, any, kSection, trace, octets,
       "With markers, MULPDU is EMSS - (6 + 4 * ceiling(EMSS / 512) + EMSS mod 4), and DDP keeps to it.",
       "RDMAP/A-24: judged where the peer's SYN has an MSS, of which EMSS is at most. That DDP keeps to it is a "
       "SHOULD (sections 3 and 4.5), and a sender behind segmentation offload may take a larger EMSS: warned.",
       {}, Sees::segments},
      {"MPA-4.5-2", must, any, kSection, trace, octets,
       "Without markers, MULPDU is EMSS - (6 + EMSS mod 4), and DDP keeps to it.", "RDMAP/A-24, as MPA-4.5-1.", {},
       Sees::segments},
      {"MPA-4.5-3", should, any, kSection, api, octets,
       "DDP's ULPDUs are as large as MULPDU allows.", "What DDP had to send at that time is known only above it."},
      {"MPA-4.5-4", must_not, any, kSection, api, octets,
       "MULPDU is never below 128 octets, however small EMSS.",
       "RDMAP/A-71. A value inside one implementation; a small ULPDU may as well be the end of a message, unless it "
       "is known how long that is.", {{mulpdu_of_sixty, "verbs"}}},
      {"MPA-4.5-5", must_not, any, kSection, api, octets,
       "Where less than 128 octets are left in a segment, MULPDU does not shrink to them.", "As MPA-4.5-4.",
       {{mulpdu_of_sixty, "verbs"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaFpduSizeRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaFpduSizeRules, I> {
};
