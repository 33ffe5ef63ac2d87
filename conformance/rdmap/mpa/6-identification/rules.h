// SPDX-License-Identifier: Apache-2.0
// RFC 5044, section 6: how a receiver finds FPDUs.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaIdentificationRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 6";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-6-1", must, any, kSection, none, octets,
       "An FPDU is verified, its CRC with it where CRCs are checked, before its ULPDU is passed to DDP.",
       "Judged as MPA-4.4-11."},
      {"MPA-6-2", must, any, kSection, none, octets,
       "The start of an FPDU is found by the ULPDU_Length of the one before it, or by a marker.",
       "Which of the two was used does not show; that FPDUs are found is judged as MPA-5.1-4 and MPA-5.2-1."},
      {"MPA-6-3", must, any, kSection, stimulus, octets,
       "A ULPDU is passed on only when ULPDU_Length says that all of its FPDU is there.", {},
       {goes_silent, accepts_short_ulpdu, dies_of_short_ulpdu}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaIdentificationRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaIdentificationRules, I> {
};
