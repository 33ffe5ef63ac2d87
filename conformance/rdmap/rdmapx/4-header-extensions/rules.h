// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct HeaderExtensionsRules : Words {
  static constexpr std::string_view kSection4_1 = "RFC 7306 4.1";
  static constexpr std::string_view kSection4_2 = "RFC 7306 4.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAPX-4.1-1", must, any, kSection4_1, none, octets,
       "The RDMAP version of these messages is 1.",
       "RFC 5040 4.1 requires it of every message and is judged for every opcode"},
      {"RDMAPX-4.1-2", must, any, kSection4_1, none, octets,
       "The opcode of these messages is one of figure 2.",
       "Only its opcode identifies such a message; C to F are reserved by RFC 5040 4.1 and judged there"},
      {"RDMAPX-4.1-3", must, any, kSection4_1, trace, octets,
       "The sender sets Invalidate STag of these messages to zero."},
      {"RDMAPX-4.1-4", must, any, kSection4_1, stimulus, octets,
       "The receiver of these messages ignores Invalidate STag.", {}, {{bare_invalidate_stag_checked, "rfc7306"}}},
      // Figure 2, by opcode.
      {"RDMAPX-4.1-5", must, any, kSection4_1, trace, octets,
       "Figure 2: Immediate Data is untagged.", "6.3 says the same"},
      {"RDMAPX-4.1-6", must, any, kSection4_1, trace, octets,
       "Figure 2: Immediate Data with SE is untagged.", "6.3 says the same"},
      {"RDMAPX-4.1-7", must, any, kSection4_1, trace, octets,
       "Figure 2: an Atomic Request is untagged.", "5.2.1 says the same"},
      {"RDMAPX-4.1-8", must, any, kSection4_1, trace, octets,
       "Figure 2: an Atomic Response is untagged.", "5 and 5.2.2 say the same"},
      {"RDMAPX-4.1-9", must, any, kSection4_1, trace, octets,
       "Figure 2: Immediate Data is on queue 0.", "6.3 says the same"},
      {"RDMAPX-4.1-10", must, any, kSection4_1, trace, octets,
       "Figure 2: Immediate Data with SE is on queue 0.", "6.3 says the same"},
      {"RDMAPX-4.1-11", must, any, kSection4_1, trace, octets,
       "Figure 2: an Atomic Request is on queue 1.", "5.2 and 5.2.1 say the same"},
      {"RDMAPX-4.1-12", must, any, kSection4_1, trace, octets,
       "Figure 2: an Atomic Response is on queue 3.", "5, 5.2 and 5.2.2 say the same",
       {{atomic_response_queue_zero, "rfc7306"}}},
      // Figure 3, by opcode.
      {"RDMAPX-4.2-1", must, any, kSection4_2, trace, octets,
       "Figure 3: Immediate Data carries eight octets of data.", "6.2 and 6.3 say the same",
       {{immediate_seven_octets, responder, "rfc7306"}, {immediate_seven_octets, initiator, "extended"}}},
      {"RDMAPX-4.2-2", must, any, kSection4_2, trace, octets,
       "Figure 3: Immediate Data with SE carries eight octets of data.", "6.2 and 6.3 say the same"},
      {"RDMAPX-4.2-3", must, any, kSection4_2, trace, octets,
       "Figure 3: an Atomic Request carries its header, 52 octets.", "RDMAP/A-35"},
      {"RDMAPX-4.2-4", must, any, kSection4_2, trace, octets,
       "Figure 3: an Atomic Response carries its header, 12 octets.", "RDMAP/A-35"},
      {"RDMAPX-4.2-5", must, any, kSection4_2, trace, octets,
       "Figure 3: nothing follows the eight octets of Immediate Data.", "RDMAP/A-37"},
      {"RDMAPX-4.2-6", must, any, kSection4_2, trace, octets,
       "Figure 3: nothing follows the eight octets of Immediate Data with SE.", "RDMAP/A-37"},
      {"RDMAPX-4.2-7", must, any, kSection4_2, trace, octets,
       "Figure 3: an Atomic Request carries no ULP payload."},
      {"RDMAPX-4.2-8", must, any, kSection4_2, trace, octets,
       "Figure 3: an Atomic Response carries no ULP payload."},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::HeaderExtensionsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::HeaderExtensionsRules, I> {
};
