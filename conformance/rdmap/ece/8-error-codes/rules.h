// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EceErrorCodesRules : Words {
  static constexpr std::string_view kSection = "RFC 6581 8";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-8-2", must, any, kSection, trace, octets,
       "MPA's errors have Layer 2 and error type 0.", "RDMAP/A-01"},
      {"ECE-8-3", must, any, kSection, trace, octets,
       "MPA's error code is 01 to 04 (RFC 5044) or 05 to 07 (RFC 6581).", "RDMAP/A-01"},
      {"ECE-8-4", must, any, kSection, trace, octets,
       "2/0/05, local catastrophic, is reported on a stream that was set up as RFC 6581 says.", "RDMAP/A-32"},
      {"ECE-8-5", must, any, kSection, trace, octets,
       "2/0/06, insufficient IRD, is reported on a stream whose set-up settled IRD and ORD.", "RDMAP/A-32"},
      {"ECE-8-6", must, any, kSection, trace, octets,
       "2/0/07, no matching RTR, is reported on a stream whose set-up asked for one."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EceErrorCodesRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EceErrorCodesRules, I> {
};
