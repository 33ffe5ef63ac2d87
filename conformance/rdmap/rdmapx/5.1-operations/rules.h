// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/rdmap/sheet.h"

namespace wirelaw::rdmap {

struct OperationsRules : Words {
  static constexpr std::string_view kSection5 = "RFC 7306 5";
  static constexpr std::string_view kSection5_1_1 = "RFC 7306 5.1.1";
  static constexpr std::string_view kSection5_1_2 = "RFC 7306 5.1.2";
  static constexpr std::string_view kAlignment =
      "It is the address of the buffer that must be aligned; a buffer may begin anywhere, so an odd Tagged Offset is "
      "a warning";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"RDMAPX-5-1", must, any, kSection5, stimulus, octets,
       "The RNIC performs one Atomic Operation at a time on any memory location.",
       "Operations on one word from two streams return each value once",
       {{atomic_of_stale_word, responder, "rfc7306"}}},
      {"RDMAPX-5-2", must, any, kSection5, stimulus, octets,
       "An RNIC that supports Atomic Operations supports both FetchAdd and CmpSwap."},
      {"RDMAPX-5-3", must, any, kSection5, none, octets,
       "An Atomic Response is untagged and on queue 3.", "RDMAPX-4.1-8 and RDMAPX-4.1-12 judge the same bits"},
      {"RDMAPX-5.1.1-1", must, any, kSection5_1_1, trace, octets,
       "A requester targets a FetchAdd at an address that is a multiple of eight.", kAlignment},
      {"RDMAPX-5.1.1-2", must, any, kSection5_1_1, stimulus, octets,
       "A responder surfaces an error for a FetchAdd whose target is not aligned.", "The connection ends",
       {{stays_open_after_terminate, "rfc7306"}}},
      {"RDMAPX-5.1.1-3", must_not, any, kSection5_1_1, stimulus, octets,
       "A responder neither performs nor answers a FetchAdd whose target is not aligned: the memory does not change.",
       {}, {{atomic_alignment_ignored, "rfc7306"}, {atomic_done_though_refused, "rfc7306"}}},
      {"RDMAPX-5.1.1-4", must, any, kSection5_1_1, stimulus, octets,
       "A responder sends a Terminate for a FetchAdd whose target is not aligned.", {},
       {{terminate_missing, "rfc7306"}}},
      {"RDMAPX-5.1.1-5", must, any, kSection5_1_1, stimulus, octets,
       "With an Add Mask of zero, FetchAdd adds two integers of 64 bits.", {}, {{atomic_not_applied, "pair"}}},
      {"RDMAPX-5.1.1-6", must, any, kSection5_1_1, stimulus, octets,
       "Each bit of the Add Mask ends a field: FetchAdd discards the carry out of the field.", {},
       {{atomic_value_wrong, "rfc7306"}}},
      {"RDMAPX-5.1.1-7", must, any, kSection5_1_1, stimulus, octets,
       "FetchAdd returns the original value, in wire order.", {},
       {{atomic_not_applied, "rfc7306"}, {atomic_value_wrong, "pair"}}},
      {"RDMAPX-5.1.2-1", must, any, kSection5_1_2, trace, octets,
       "A requester targets a CmpSwap at an address that is a multiple of eight.", kAlignment},
      {"RDMAPX-5.1.2-2", must, any, kSection5_1_2, stimulus, octets,
       "If the masked values are equal, CmpSwap replaces the bits of the Swap Mask and no others.", {},
       {{atomic_not_applied, "pair"}}},
      {"RDMAPX-5.1.2-3", must, any, kSection5_1_2, stimulus, octets,
       "If the masked values differ, CmpSwap changes nothing.", {}, {{atomic_not_applied, "pair"}}},
      {"RDMAPX-5.1.2-4", must, any, kSection5_1_2, stimulus, octets,
       "CmpSwap returns the original value, whether it swapped or not.", {}, {{atomic_value_wrong, "pair"}}},
      {"RDMAPX-5.1.2-5", must_not, any, kSection5_1_2, stimulus, octets,
       "A responder neither performs nor answers a CmpSwap whose target is not aligned: the memory does not change.",
       {}, {{atomic_alignment_ignored, "rfc7306"}, {atomic_done_though_refused, "rfc7306"}}},
      {"RDMAPX-5.1.2-6", must, any, kSection5_1_2, stimulus, octets,
       "A responder surfaces an error for a CmpSwap whose target is not aligned.", "The connection ends",
       {{stays_open_after_terminate, "rfc7306"}}},
      {"RDMAPX-5.1.2-7", must, any, kSection5_1_2, stimulus, octets,
       "A responder sends a Terminate for a CmpSwap whose target is not aligned.", {},
       {{terminate_missing, "rfc7306"}}},
  };
  // clang-format on
};

}  // namespace wirelaw::rdmap

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::rdmap::OperationsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::rdmap::OperationsRules, I> {
};
