// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EceFramesRules : Words {
  static constexpr std::string_view kSection = "RFC 6581 6";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-6-1", must, any, kSection, trace, octets,
       "A frame with S set has revision 2 or higher.", "RDMAP/A-30: in revision 1 the bit is reserved."},
      {"ECE-6-2", must, responder, kSection, stimulus, octets,
       "A responder goes on accepting requests of revision 1, even if it knows revision 2.", {},
       {closes_on_revision_one}},
      {"ECE-6-3", must, any, kSection, trace, octets,
       "With S set, the private data begins with the four octets of enhanced data, which PD_Length counts."},
      {"ECE-6-4", must, any, kSection, none, octets,
       "With S zero, no enhanced data is in the private data.",
       "The ULP's own private data may be any octets, so that they may look like it."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EceFramesRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EceFramesRules, I> {
};
