// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct BaseRules : Words {
  static constexpr std::string_view kS7_6 = "RFC 3018 7.6";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-7.6-1", must, any, kS7_6, stimulus, octets,
       "A memory base applies to the instructions of one chain.", {}, {{base_of_all_chains, executor}}},
      {"UMSP-7.6-2", must, any, kS7_6, trace, absence,
       "A sender uses short addresses as displacements only in chains with a base.",
       "Judged if the receiver has assigned GJIDs, which show how long its addresses are"},
      {"UMSP-7.6-3", must, any, kS7_6, trace, octets,
       "The instruction with _SET_MBASE is part of a chain, so CHN is 1."},
      {"UMSP-7.6-4", must, any, kS7_6, none, octets,
       "_SET_MBASE has HEAD_CODE 7.", "Another code is another header"},
      {"UMSP-7.6-5", must, any, kS7_6, trace, octets,
       "_SET_MBASE has 2, 4 or 8 words of DATA."},
      {"UMSP-7.6-6", must, any, kS7_6, trace, octets,
       "_SET_MBASE has HOB 1."},
      {"UMSP-7.6-7", must, any, kS7_6, none, octets,
       "DATA of _SET_MBASE is the base address (4, 8 or 16 octets).",
       "UMSP-7.6-5: any octets of that length are an address"},
      {"UMSP-7.6-8", must, any, kS7_6, stimulus, octets,
       "A sender puts a base address of 3 octets into the last 3 of 4 octets, and sets the first to 0.",
       "The instruction does not show how long a node's addresses are",
       {{base_in_first_octets, executor, "address-3"}}},
      {"UMSP-7.6-9", must_not, any, kS7_6, api, octets,
       "A sender does not use base and displacement for nodes with 2-octet addresses.",
       "The instruction does not show how long a node's addresses are"},
      {"UMSP-7.6-10", must, any, kS7_6, stimulus, octets,
       "If the base of a sequence changes, the receiver uses the last one.", {}, {{first_base_stays, executor}}},
      {"UMSP-7.6-11", must, any, kS7_6, trace, absence,
       "A sender sets the base of a transaction only once."},
      {"UMSP-7.6-12", must_not, executor, kS7_6, stimulus, octets,
       "A receiver does not execute a transaction whose base is set twice.", {}, {{base_twice_taken, executor}}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::BaseRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::BaseRules, I> {
};
