// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaFpduSizeRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 4.5";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-4.5-1", must, any, kSection, trace, octets,
       "With markers, MULPDU is EMSS - (6 + 4 * ceiling(EMSS / 512) + EMSS mod 4), and DDP does not exceed it.",
       "RDMAP/A-24: judged if the peer's SYN has an MSS, which EMSS does not exceed. That DDP stays within MULPDU is "
       "a SHOULD (sections 3 and 4.5), and a sender with segmentation offload may use a larger EMSS: a warning.",
       {}, Sees::segments},
      {"MPA-4.5-2", must, any, kSection, trace, octets,
       "Without markers, MULPDU is EMSS - (6 + EMSS mod 4), and DDP does not exceed it.", "RDMAP/A-24, as MPA-4.5-1.",
       {}, Sees::segments},
      {"MPA-4.5-3", should, any, kSection, api, octets,
       "DDP makes its ULPDUs as large as MULPDU allows.", "Only DDP's ULP knows what there was to send."},
      {"MPA-4.5-4", must_not, any, kSection, api, octets,
       "MPA never sets MULPDU below 128 octets, however small EMSS is.",
       "RDMAP/A-71. A value inside one implementation; a small ULPDU may also be the end of a message whose length is "
       "not known.", {{mulpdu_of_sixty, "verbs"}}},
      {"MPA-4.5-5", must_not, any, kSection, api, octets,
       "MPA does not reduce MULPDU below 128 octets to fill what is left of a segment.", "As MPA-4.5-4.",
       {{mulpdu_of_sixty, "verbs"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaFpduSizeRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaFpduSizeRules, I> {
};
