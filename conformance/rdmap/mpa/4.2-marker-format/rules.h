// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaMarkerFormatRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 4.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-4.2-1", must, any, kSection, trace, octets,
       "A sender sets the first 16 bits of a marker, which are reserved, to zero.", {}, {marker_reserved_set}},
      {"MPA-4.2-2", must, any, kSection, stimulus, octets,
       "A receiver ignores the reserved bits of a marker, except in the CRC.",
       "Only for an implementation that requests markers.", {{send_lost, responder, "markers"}}},
      {"MPA-4.2-3", must, any, kSection, trace, octets,
       "A sender sets the two low bits of FPDUPTR to zero.", {}, {marker_pointer_low_bits}},
      {"MPA-4.2-4", must, any, kSection, stimulus, octets,
       "A receiver treats the two low bits of FPDUPTR as zero, whatever their values.",
       "Only for an implementation that requests markers. Section 4.3 says the same.",
       {{send_lost, responder, "markers"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaMarkerFormatRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaMarkerFormatRules, I> {
};
