// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct SynAndNopRules : Words {
  static constexpr std::string_view kSyn = "RFC 3018 6.5.1";
  static constexpr std::string_view kNop = "RFC 3018 6.5.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-6.5.1-1", must_not, any, kSyn, stimulus, octets,
       "SYN gets one DATA only, however often the data change.", {}, {{syn_reports_again, executor}}},
      {"UMSP-6.5.1-2", must, any, kSyn, none, octets,
       "OPCODE of SYN is that of the address length: 153 for 4, 154 for 8, 155 for 16 octets.",
       "the form itself: another OPCODE reads as another length"},
      {"UMSP-6.5.1-3", must, any, kSyn, trace, octets,
       "OPR_LENGTH of SYN has room for address, data and mask: 2 words for OPCODE 153, 3 for 154, 5 for 155."},
      {"UMSP-6.5.1-4", must, any, kSyn, none, octets,
       "The first operand of SYN is the address, as long as the OPCODE says.",
       "the form itself: other octets are another address"},
      {"UMSP-6.5.1-5", must, any, kSyn, none, octets,
       "The initial data of SYN are 2 to 131068 octets, a multiple of 2.",
       "half of whole words is always a multiple of 2"},
      {"UMSP-6.5.1-6", must, any, kSyn, none, octets,
       "The mask of SYN has the length of its initial data.",
       "the form itself: initial data and mask are the halves of what is there"},
      {"UMSP-6.5.1-7", must, any, kSyn, none, octets,
       "Initial data and mask of SYN share what is behind the address evenly: they fill whole words.",
       "the form itself: initial data and mask are the halves of what is there"},
      {"UMSP-6.5.1-8", must, any, kSyn, stimulus, octets,
       "The receiver compares memory with the initial data first: a difference is a change.", {},
       {{syn_initial_ignored, executor}}},
      {"UMSP-6.5.1-9", must, any, kSyn, stimulus, octets,
       "The bits that are 1 in the mask are those whose change counts.", {}, {{syn_mask_inverted, executor}}},
      {"UMSP-6.5.1-10", must_not, any, kSyn, stimulus, octets,
       "A change of bits that are 0 in the mask gets no DATA.", {}, {{syn_mask_ignored, executor}}},
      {"UMSP-6.5.1-11", must, any, kSyn, stimulus, octets,
       "SYN with a wrong address gets a negative RSP.", {}, {{syn_bad_address_silent, executor}}},
      {"UMSP-6.5.1-12", must_not, any, kSyn, trace, order,
       "While the data do not change nothing is sent for SYN.",
       "a positive RSP says of no change that there is one to come; a negative one refuses the address",
       {{syn_reports_unchanged, executor}}},
      {"UMSP-6.5.1-13", must, any, kSyn, stimulus, octets,
       "When the data change, DATA with their new value is sent.", {},
       {{syn_never_reports, executor}, {syn_reports_old_data, executor}}},
      {"UMSP-6.5.2-1", must, any, kNop, stimulus, octets,
       "NOP is taken with any number of operand words, 0 to 65535.", {}, {{nop_operands_refused, executor}}},
      {"UMSP-6.5.2-2", must, any, kNop, none, octets,
       "Operands of NOP are encapsulated data, at most 262140 octets.",
       "the form itself, and OPR_LENGTH cannot count more"},
      {"UMSP-6.5.2-3", must, any, kNop, stimulus, octets,
       "A receiver takes NOP with any extension headers.", {}, {{nop_headers_refused, executor}}},
      {"UMSP-6.5.2-4", may, any, kNop, none, octets,
       "NOP carries extension headers where a session has no other instruction to send.", "a purpose, no demand"},
      {"UMSP-6.5.2-5", must, any, kNop, trace, octets,
       "NOP has operands in chains only, where they are a fragment or a special transaction.",
       "The sentence speaks of purposes: a warning."},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::SynAndNopRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::SynAndNopRules, I> {
};
