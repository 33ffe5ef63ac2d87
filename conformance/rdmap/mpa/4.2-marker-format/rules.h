// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct MpaMarkerFormatRules : Words {
  static constexpr std::string_view kSection = "RFC 5044 4.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"MPA-4.2-1", must, any, kSection, trace, octets,
       "The first 16 bits of a marker are reserved: the sender leaves them zero.", {}, {marker_reserved_set}},
      {"MPA-4.2-2", must, any, kSection, stimulus, octets,
       "A receiver ignores a marker's reserved bits, save for the CRC.",
       "Only of an implementation that asks for markers.", {{send_lost, responder, "markers"}}},
      {"MPA-4.2-3", must, any, kSection, trace, octets,
       "The two low bits of FPDUPTR are zero when it is sent.", {}, {marker_pointer_low_bits}},
      {"MPA-4.2-4", must, any, kSection, stimulus, octets,
       "A receiver takes the two low bits of FPDUPTR for zero, whatever they are.",
       "Only of an implementation that asks for markers. Section 4.3 says the same.",
       {{send_lost, responder, "markers"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::MpaMarkerFormatRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::MpaMarkerFormatRules, I> {
};
