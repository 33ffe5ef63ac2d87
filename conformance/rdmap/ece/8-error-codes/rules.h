// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EceErrorCodesRules : Words {
  static constexpr std::string_view kSection = "RFC 6581 8";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-8-2", must, any, kSection, trace, octets,
       "A Terminate for an error of MPA has Layer 2 and error type 0.", "RDMAP/A-01"},
      {"ECE-8-3", must, any, kSection, trace, octets,
       "A Terminate for an error of MPA has code 01 to 04 (RFC 5044) or 05 to 07 (RFC 6581).", "RDMAP/A-01"},
      {"ECE-8-4", must, any, kSection, trace, octets,
       "A peer reports 2/0/05 (local catastrophic) only on a stream that RFC 6581 set up.", "RDMAP/A-76"},
      {"ECE-8-5", must, any, kSection, trace, octets,
       "A peer reports 2/0/06 (insufficient IRD) only on a stream whose setup negotiated IRD and ORD.", "RDMAP/A-76"},
      {"ECE-8-6", must, any, kSection, trace, octets,
       "A peer reports 2/0/07 (no matching RTR) only on a stream whose setup requested an RTR.", "RDMAP/A-76"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EceErrorCodesRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EceErrorCodesRules, I> {
};
