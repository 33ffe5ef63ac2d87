// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 3.1: what RDMAP requires of the layers below it. (Section 2 defines terms, section 3.2 describes an
// interface to the ULP; neither has requirements.)
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct TransportRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 3.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-3.1-1", must, any, kSection, none, octets,
       "RDMAP is layered on DDP.", "Anything that is not DDP breaks DDP-4.2 to DDP-4.4"},
      {"RDMAP-3.1-2", must, any, kSection, none, octets,
       "One RDMA Message is one DDP message.", "4.2 to 4.8 judge the contents of each RDMA Message"},
      {"RDMAP-3.1-3", must, any, kSection, none, octets,
       "RsvdULP has one octet in tagged messages and five in untagged ones.", "Judged by DDP-4.2-1 and DDP-4.3-1"},
      {"RDMAP-3.1-4", must, any, kSection, none, octets,
       "DDP passes its errors to RDMAP, with the header of the segment if that is known.",
       "Seen in the Terminates that RDMAP then sends: RDMAP-4.8"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::TransportRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::TransportRules, I> {
};
