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
       "Short addresses as displacements are used in chains with a base only.",
       "judged if the receiver has assigned GJIDs, which show how long its addresses are"},
      {"UMSP-7.6-3", must, any, kS7_6, trace, octets,
       "_SET_MBASE is in an instruction of a chain: CHN is 1."},
      {"UMSP-7.6-4", must, any, kS7_6, none, octets,
       "_SET_MBASE has HEAD_CODE 7.", "another code is another header"},
      {"UMSP-7.6-5", must, any, kS7_6, trace, octets,
       "_SET_MBASE has 2, 4 or 8 words of DATA."},
      {"UMSP-7.6-6", must, any, kS7_6, trace, octets,
       "_SET_MBASE has HOB 1."},
      {"UMSP-7.6-7", must, any, kS7_6, none, octets,
       "DATA of _SET_MBASE is the base address, 4, 8 or 16 octets.",
       "UMSP-7.6-5: any octets of that length are an address"},
      {"UMSP-7.6-8", must, any, kS7_6, stimulus, octets,
       "A base address of 3 octets is in the last 3 of 4 octets, the first is 0.",
       "how long a node's addresses are is not in the instruction", {{base_in_first_octets, executor, "address-3"}}},
      {"UMSP-7.6-9", must_not, any, kS7_6, api, octets,
       "Base and displacement are not used for nodes with 2-octet addresses.",
       "how long a node's addresses are is not in the instruction"},
      {"UMSP-7.6-10", must, any, kS7_6, stimulus, octets,
       "The base of a sequence may change: the last one counts.", {}, {{first_base_stays, executor}}},
      {"UMSP-7.6-11", must, any, kS7_6, trace, absence,
       "The base of a transaction is set once."},
      {"UMSP-7.6-12", must_not, executor, kS7_6, stimulus, octets,
       "A transaction whose base is set twice is not executed.", {}, {{base_twice_taken, executor}}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::BaseRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::BaseRules, I> {
};
