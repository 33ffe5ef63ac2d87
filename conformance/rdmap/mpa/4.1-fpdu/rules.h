// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaFpduRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 4.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-4.1-1", must, any, kSection, trace, absence,
       "A sender sends only whole FPDUs in Full Operation: a stream that it closes ends at the end of one.",
       "A side that is forced to stop (by a Terminate, or a reset) may break off anywhere. The other stream, if "
       "complete to its FIN, proves that it was not.", {closes_inside_fpdu, {closes_inside_message, responder}}},
      {"MPA-4.1-2", must, any, kSection, trace, octets,
       "ULPDU_Length is the number of octets of the ULPDU, without itself, pad, CRC and markers.",
       "Detected by a CRC that is valid for another length; otherwise a wrong length shows as an invalid CRC.",
       {ulpdu_length_wrong}},
      {"MPA-4.1-3", must, any, kSection, trace, octets,
       "A sender sets the pad octets to zero.", {}, {pad_not_zero}},
      {"MPA-4.1-4", must, any, kSection, trace, octets,
       "A sender pads an FPDU to a multiple of four octets, and no further.",
       "Detected by a CRC that is valid for another number of pad octets."},
      {"MPA-4.1-5", must, any, kSection, stimulus, octets,
       "A receiver ignores the pad octets, except in the CRC that covers them.", {}, {pad_checked}},
      {"MPA-4.1-6", must_not, any, kSection, stimulus, octets,
       "If neither side requests CRCs, the CRC field is present, but a receiver does not check it.",
       "RFC 5044, 4.4 and 7.1.1 require the same. An implementation that always requests CRCs is never tested for it.",
       {{crc_checked_unasked, "no-crc"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaFpduRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaFpduRules, I> {
};
