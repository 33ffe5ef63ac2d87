// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct ErrorCodesRules : Words {
  static constexpr std::string_view kSection = "RFC 5040 4.8";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAP-4.8-3", must, any, kSection, trace, octets,
       "Figure 9: Layer is 0 (RDMA), 1 (DDP) or 2 (LLP).", "RDMAP/A-41, RDMAP/A-60", {terminate_layer_wrong}},
      {"RDMAP-4.8-4", must, any, kSection, trace, octets,
       "Figure 9: with Layer 0, EType is 0 (Local Catastrophic), 1 (Remote Protection) or 2 (Remote Operation)."},
      {"RDMAP-4.8-5", must, any, kSection, trace, octets,
       "Figure 9: a Remote Protection Error has code 00 to 04, 09 or FF.", "RDMAP/A-41", {terminate_type_wrong}},
      {"RDMAP-4.8-6", must, any, kSection, trace, octets,
       "Figure 9: a Remote Operation Error has code 05 to 09 or FF.", "RDMAP/A-41", {terminate_code_wrong}},
      {"RDMAP-4.8-40", must, any, kSection, trace, octets,
       "Figure 9, 0/1/00: the terminated segment names an STag that RDMAP must look up.", "RDMAP/A-02, RDMAP/A-25"},
      {"RDMAP-4.8-41", must, any, kSection, trace, octets,
       "Figure 9, 0/1/01: the terminated segment requests octets of a buffer.", "RDMAP/A-25"},
      {"RDMAP-4.8-42", must, any, kSection, trace, octets,
       "Figure 9, 0/1/02: the terminated segment requests access to a buffer.", "RDMAP/A-02, RDMAP/A-25, RDMAP/A-27"},
      {"RDMAP-4.8-43", must, any, kSection, trace, octets,
       "Figure 9, 0/1/03: the terminated segment names an STag that RDMAP must look up.", "RDMAP/A-02, RDMAP/A-25"},
      {"RDMAP-4.8-44", must, any, kSection, trace, octets,
       "Figure 9, 0/1/04: in the terminated Read Request, Data Source Tagged Offset plus size goes beyond 2^64.",
       "RDMAP/A-22, RDMAP/A-27"},
      {"RDMAP-4.8-45", must, any, kSection, trace, octets,
       "Figure 9, 0/1/09: the terminated segment requests the invalidation of an STag.", "RDMAP/A-02, RDMAP/A-27"},
      {"RDMAP-4.8-46", must, any, kSection, trace, octets,
       "Figure 9, 0/2/05: the RDMAP version of the terminated segment is not that of the stream.", "RDMAP/A-11"},
      {"RDMAP-4.8-47", must, any, kSection, trace, absence,
       "Figure 9, 0/2/06: the opcode of the terminated segment is reserved, or unexpected at that place.",
       "RDMAP/A-09, RDMAP/A-10"},
      {"RDMAP-4.8-48", must, any, kSection, trace, octets,
       "Figure 9, 0/2/09: the terminated segment requests the invalidation of an STag.", "RDMAP/A-02, RDMAP/A-27"},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::ErrorCodesRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::ErrorCodesRules, I> {
};
