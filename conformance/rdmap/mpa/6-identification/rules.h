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
       "A receiver verifies an FPDU, and its CRC if CRCs are checked, before it passes the ULPDU to DDP.",
       "Judged as MPA-4.4-11."},
      {"MPA-6-2", must, any, kSection, none, octets,
       "A receiver finds the start of an FPDU by the previous ULPDU_Length, or by a marker.",
       "Which of the two it used does not show; MPA-5.1-4 and MPA-5.2-1 judge that it finds FPDUs."},
      {"MPA-6-3", must, any, kSection, stimulus, octets,
       "A receiver passes a ULPDU on only after all octets of its FPDU have come, as ULPDU_Length gives them.", {},
       {goes_silent, accepts_short_ulpdu, dies_of_short_ulpdu}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaIdentificationRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaIdentificationRules, I> {
};
