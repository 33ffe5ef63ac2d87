// SPDX-License-Identifier: Apache-2.0
// RFC 6581, section 7: the enhanced setup over SCTP.
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct EceSctpRules : Words {
  static constexpr std::string_view kSection = "RFC 6581 7";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"ECE-7-1", must, any, kSection, none, octets,
       "Over SCTP, the enhanced session control chunks carry the same data; their function codes accept, reject and "
       "terminate.", "This suite judges iWARP over TCP, not RFC 5043's adaptation to SCTP."},
      {"ECE-7-2", must_not, any, kSection, none, octets,
       "Over SCTP, private data and enhanced data are at most 512 octets, and a termination carries none.",
       "As ECE-7-1."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::EceSctpRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::EceSctpRules, I> {
};
