// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaFpduRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 4.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-4.1-1", must, any, kSection, trace, absence,
       "What is sent in Full Operation is whole FPDUs: a stream that is closed ends at the end of one.",
       "A side that is made to stop (by a Terminate, or a reset) may break off anywhere. That it was not is proved "
       "where the other stream is there to its FIN.", {closes_inside_fpdu, {closes_inside_message, responder}}},
      {"MPA-4.1-2", must, any, kSection, trace, octets,
       "ULPDU_Length is the number of octets of the ULPDU: without itself, pad, CRC and markers.",
       "Detected by a CRC that holds for another length; else a wrong length shows as a CRC that does not hold.",
       {ulpdu_length_wrong}},
      {"MPA-4.1-3", must, any, kSection, trace, octets,
       "The pad octets are zero.", {}, {pad_not_zero}},
      {"MPA-4.1-4", must, any, kSection, trace, octets,
       "As many pad octets are added as make the FPDU a multiple of four octets long.",
       "Detected by a CRC that holds for another number of them."},
      {"MPA-4.1-5", must, any, kSection, stimulus, octets,
       "A receiver ignores the pad octets, save for the CRC that covers them.", {}, {pad_checked}},
      {"MPA-4.1-6", must_not, any, kSection, stimulus, octets,
       "Where neither side asks for CRCs, the CRC field is there, and a receiver does not check it.",
       "RFC 5044, 4.4 and 7.1.1 demand the same. An implementation that always asks for CRCs is never put to this "
       "test.", {{crc_checked_unasked, "no-crc"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaFpduRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaFpduRules, I> {
};
