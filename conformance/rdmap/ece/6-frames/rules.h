// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EceFramesRules : Words {
  static constexpr std::string_view kSection = "RFC 6581 6";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-6-1", must, any, kSection, trace, octets,
       "A frame with S set has revision 2 or higher.", "RDMAP/A-30: the bit is reserved in revision 1."},
      {"ECE-6-2", must, responder, kSection, stimulus, octets,
       "A responder accepts requests of revision 1, even if it supports revision 2.", {}, {closes_on_revision_one}},
      {"ECE-6-3", must, any, kSection, trace, octets,
       "If S is set, the private data begins with the four octets of enhanced data, and PD_Length counts them."},
      {"ECE-6-4", must, any, kSection, none, octets,
       "If S is zero, the private data contains no enhanced data.",
       "The ULP's private data may be any octets, including some that look like enhanced data."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EceFramesRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EceFramesRules, I> {
};
