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
       "A node sends only one DATA for a SYN, however often the data change.", {}, {{syn_reports_again, executor}}},
      {"UMSP-6.5.1-2", must, any, kSyn, none, octets,
       "The OPCODE of SYN matches the address length: 153 for 4, 154 for 8, 155 for 16 octets.",
       "The form itself: another OPCODE reads as another length"},
      {"UMSP-6.5.1-3", must, any, kSyn, trace, octets,
       "OPR_LENGTH of SYN has room for address, data and mask: at least 2 words with OPCODE 153, 3 with 154, 5 with "
       "155."},
      {"UMSP-6.5.1-4", must, any, kSyn, none, octets,
       "The first operand of SYN is the address, of the length that the OPCODE defines.",
       "The form itself: other octets are another address"},
      {"UMSP-6.5.1-5", must, any, kSyn, none, octets,
       "The initial data of SYN have 2 to 131068 octets, a multiple of 2.",
       "Half of whole words is always a multiple of 2"},
      {"UMSP-6.5.1-6", must, any, kSyn, none, octets,
       "The mask of SYN is as long as its initial data.",
       "The form itself: initial data and mask are the two halves of what follows the address"},
      {"UMSP-6.5.1-7", must, any, kSyn, none, octets,
       "Initial data and mask of SYN each take half of the octets after the address, and together fill whole words.",
       "The form itself: initial data and mask are the two halves of what follows the address"},
      {"UMSP-6.5.1-8", must, any, kSyn, stimulus, octets,
       "The receiver of a SYN first compares memory with the initial data, and treats a difference as a change.", {},
       {{syn_initial_ignored, executor}}},
      {"UMSP-6.5.1-9", must, any, kSyn, stimulus, octets,
       "The receiver of a SYN reports changes of the bits that are 1 in the mask.", {},
       {{syn_mask_inverted, executor}}},
      {"UMSP-6.5.1-10", must_not, any, kSyn, stimulus, octets,
       "The receiver of a SYN sends no DATA for changes of bits that are 0 in the mask.", {},
       {{syn_mask_ignored, executor}}},
      {"UMSP-6.5.1-11", must, any, kSyn, stimulus, octets,
       "If the address of a SYN is wrong, the receiver sends a negative RSP.", {},
       {{syn_bad_address_silent, executor}}},
      {"UMSP-6.5.1-12", must_not, any, kSyn, trace, order,
       "A receiver sends nothing for SYN while the data do not change.",
       "A positive RSP does not say that a change will come; a negative one refuses the address",
       {{syn_reports_unchanged, executor}}},
      {"UMSP-6.5.1-13", must, any, kSyn, trace, octets,
       "When the data of a SYN change, the receiver sends DATA with their new value.",
       "Only a case knows whether they have changed, and to what. A capture shows how many octets they are.",
       {{syn_never_reports, executor}, {syn_reports_old_data, executor}}},
      {"UMSP-6.5.2-1", must, any, kNop, stimulus, octets,
       "A receiver accepts NOP with 0 to 65535 words of operands.", {}, {{nop_operands_refused, executor}}},
      {"UMSP-6.5.2-2", must, any, kNop, none, octets,
       "The operands of NOP are encapsulated data, at most 262140 octets.",
       "The form itself; OPR_LENGTH cannot count more"},
      {"UMSP-6.5.2-3", must, any, kNop, stimulus, octets,
       "A receiver accepts NOP with any extension headers.", {}, {{nop_headers_refused, executor}}},
      {"UMSP-6.5.2-4", may, any, kNop, none, octets,
       "NOP may carry extension headers if a session has no other instruction to send.",
       "A purpose, not a requirement"},
      {"UMSP-6.5.2-5", must, any, kNop, trace, octets,
       "NOP has operands only in chains, as a fragment or a special transaction.",
       "The RFC only lists purposes: a warning."},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::SynAndNopRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::SynAndNopRules, I> {
};
