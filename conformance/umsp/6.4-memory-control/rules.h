// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct MemoryControlRules : Words {
  static constexpr std::string_view kMemory = "RFC 3018 6.4";
  static constexpr std::string_view kMemAlloc = "RFC 3018 6.4.1";
  static constexpr std::string_view kMvcode = "RFC 3018 6.4.2";
  static constexpr std::string_view kAddress = "RFC 3018 6.4.3";
  static constexpr std::string_view kFree = "RFC 3018 6.4.4";
  static constexpr std::string_view kMvrun = "RFC 3018 6.4.5";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-6.4-1", must, any, kMemory, api, octets,
       "Code and data are in one address space.", "Only the VM knows where code and data are"},
      {"UMSP-6.4-2", must_not, any, kMemory, stimulus, octets,
       "The protocol layer does not check memory operations: the VM does.", {}, {{alignment_demanded, executor}}},
      {"UMSP-6.4.1-1", must, any, kMemAlloc, trace, octets,
       "MEM_ALLOC has 1 word of operands."},
      {"UMSP-6.4.1-2", must, any, kMemAlloc, none, octets,
       "The operand of MEM_ALLOC is the number of requested octets.",
       "The form itself: other octets are another number"},
      {"UMSP-6.4.1-3", must, any, kMemAlloc, trace, order,
       "The answer to a MEM_ALLOC with ASK 1 is ADDRESS or RSP."},
      {"UMSP-6.4.1-4", must_not, any, kMemAlloc, trace, order,
       "A node does not answer MEM_ALLOC with a positive RSP."},
      {"UMSP-6.4.1-5", must, any, kMemAlloc, stimulus, octets,
       "A node accepts the address that it returned for MEM_ALLOC in instructions for reading, writing, comparison and "
       "SYN.", {}, {{allocates_nothing, executor}}},
      {"UMSP-6.4.2-1", must, any, kMvcode, trace, octets,
       "MVCODE has at least 1 word of operands."},
      {"UMSP-6.4.2-2", must, any, kMvcode, none, octets,
       "The first operands of MVCODE are the addressee's VM type and version (2 octets each).",
       "The form itself: other octets are another VM"},
      {"UMSP-6.4.2-3", must, any, kMvcode, none, octets,
       "The code of MVCODE follows and has at most 262136 octets.", "OPR_LENGTH cannot count more"},
      {"UMSP-6.4.2-4", must, any, kMvcode, trace, octets,
       "MVCODE has a _DATA header only if its operands contain no code."},
      {"UMSP-6.4.2-5", must, any, kMvcode, trace, octets,
       "MVCODE has code in its operands or in a _DATA header.",
       "The printed table allows 0 octets because of _DATA: a warning."},
      {"UMSP-6.4.2-6", must, any, kMvcode, api, octets,
       "The code of MVCODE is for the VM that its operands name.", "Only the VM knows what code means"},
      {"UMSP-6.4.2-7", must_not, any, kMvcode, stimulus, octets,
       "The protocol layer does not interpret the code of MVCODE.", {}, {{code_looked_into, executor}}},
      {"UMSP-6.4.2-8", must, any, kMvcode, api, octets,
       "The code of MVCODE contains everything that the addressee's VM needs.", "Only the VM knows what code needs"},
      {"UMSP-6.4.2-9", must_not, any, kMvcode, none, octets,
       "MVCODE does not carry code both in operands and in a _DATA header.", "The same as UMSP-6.4.2-4"},
      {"UMSP-6.4.2-10", must, any, kMvcode, trace, order,
       "The answer to a MVCODE with ASK 1 is ADDRESS or RSP."},
      {"UMSP-6.4.2-11", must_not, any, kMvcode, trace, order,
       "A node does not answer MVCODE with a positive RSP."},
      {"UMSP-6.4.2-12", must, any, kMvcode, stimulus, octets,
       "A node runs code from MVCODE on JUMP or CALL.", {}, {{moved_code_not_run, executor}}},
      {"UMSP-6.4.3-1", must, any, kAddress, trace, order,
       "ADDRESS answers MEM_ALLOC or MVCODE.", "If a rule of the request covers its answer, that rule is reported."},
      {"UMSP-6.4.3-2", must, any, kAddress, trace, octets,
       "ADDRESS has 1, 2 or 4 words of operands."},
      {"UMSP-6.4.3-3", must, any, kAddress, none, octets,
       "The operand of ADDRESS is the address (4, 8 or 16 octets).", "UMSP-6.4.3-2 judges it in words of operands"},
      {"UMSP-6.4.3-4", must, any, kAddress, stimulus, octets,
       "ADDRESS that answers MEM_ALLOC is the address of the first octet of the new memory.", {},
       {{address_behind, executor}}},
      {"UMSP-6.4.3-5", must, any, kAddress, api, octets,
       "For ADDRESS that answers MVCODE, the VM of the code defines what the address points to.",
       "Only the VM knows what the address points to"},
      {"UMSP-6.4.4-1", must, any, kFree, api, octets,
       "A node frees memory from MEM_ALLOC and MVCODE explicitly, with FREE.",
       "Another node of the job may free it, or the end of the task", {{free_ignored, executor}}},
      {"UMSP-6.4.4-2", must, any, kFree, trace, octets,
       "FREE has 1, 2 or 4 words of operands."},
      {"UMSP-6.4.4-3", must, any, kFree, none, octets,
       "The operand of FREE is the address (4, 8 or 16 octets).", "UMSP-6.4.4-2 judges it in words of operands"},
      {"UMSP-6.4.4-4", must, any, kFree, api, octets,
       "FREE names an address that was returned for MEM_ALLOC or MVCODE.",
       "The nodes of a job exchange addresses, and any of them may have got this one"},
      {"UMSP-6.4.4-5", must, any, kFree, stimulus, octets,
       "The VM frees the memory itself when the task ends.", {}, {{task_end_keeps_memory, executor}}},
      {"UMSP-6.4.5-1", must, any, kMvrun, trace, octets,
       "MVRUN has at least 1 word of operands."},
      {"UMSP-6.4.5-2", must, any, kMvrun, none, octets,
       "The first operands of MVRUN are the addressee's VM type and version (2 octets each).",
       "The form itself: other octets are another VM"},
      {"UMSP-6.4.5-3", must, any, kMvrun, none, octets,
       "The code of MVRUN follows and has 4 to 262136 octets.",
       "UMSP-6.4.5-5 sets the lower limit, OPR_LENGTH the upper one"},
      {"UMSP-6.4.5-4", must, any, kMvrun, trace, octets,
       "MVRUN has a _DATA header only if its operands contain no code."},
      {"UMSP-6.4.5-5", must, any, kMvrun, trace, octets,
       "MVRUN has code in its operands or in a _DATA header."},
      {"UMSP-6.4.5-6", must_not, any, kMvrun, stimulus, octets,
       "The protocol layer does not interpret the code of MVRUN.", {}, {{run_code_looked_into, executor}}},
      {"UMSP-6.4.5-7", must, any, kMvrun, api, octets,
       "The code of MVRUN contains everything that the addressee's VM needs, including parameters.",
       "Only the VM knows what code needs"},
      {"UMSP-6.4.5-8", must_not, any, kMvrun, none, octets,
       "MVRUN does not carry code both in operands and in a _DATA header.", "The same as UMSP-6.4.5-4"},
      {"UMSP-6.4.5-9", must, any, kMvrun, trace, order,
       "The answer to a MVRUN with ASK 1 is RETURN or a negative RSP."},
      {"UMSP-6.4.5-10", must_not, any, kMvrun, none, octets,
       "A node does not free the memory of MVRUN's code with FREE.", "No answer names an address that could be freed"},
      {"UMSP-6.4.5-11", must, any, kMvrun, api, octets,
       "The VM frees the memory of MVRUN's code itself.", "What a VM frees is not on the wire"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::MemoryControlRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::MemoryControlRules, I> {
};
