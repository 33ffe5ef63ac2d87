// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct ControlTransferRules : Words {
  static constexpr std::string_view kJump = "RFC 3018 6.3.1";
  static constexpr std::string_view kReturn = "RFC 3018 6.3.2";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-6.3.1-1", must, any, kJump, none, octets,
       "JUMP and CALL have the same format.", "what the table of operands says"},
      {"UMSP-6.3.1-2", must, any, kJump, none, octets,
       "JUMP has OPCODE 143 without VM type and version of the sender, and 144 with them.",
       "the form itself: another OPCODE reads as another form"},
      {"UMSP-6.3.1-3", must, any, kJump, none, octets,
       "CALL has OPCODE 145 without VM type and version of the sender, and 146 with them.",
       "the form itself: another OPCODE reads as another form"},
      {"UMSP-6.3.1-4", must, any, kJump, trace, octets,
       "OPR_LENGTH of JUMP and CALL is 2 at least, and 3 with the sender's VM."},
      {"UMSP-6.3.1-5", must, any, kJump, none, octets,
       "OPCODE 144 or 146: the first operands are VM type and version of the sender, 2 octets each.",
       "the form itself: other octets are another VM"},
      {"UMSP-6.3.1-6", must, any, kJump, none, octets,
       "OPCODE 143 or 145: VM type and version are absent.", "the form itself: they read as the address"},
      {"UMSP-6.3.1-7", must, any, kJump, trace, octets,
       "VM type and version in JUMP and CALL are 1 to 65534."},
      {"UMSP-6.3.1-8", must, any, kJump, none, octets,
       "The address of JUMP and CALL is 4, 8 or 16 octets.", "a wrong length shows in UMSP-6.3.1-10"},
      {"UMSP-6.3.1-9", must, any, kJump, none, octets,
       "Behind the address of JUMP and CALL are 2 octets: the number of 32-bit words of parameters.",
       "a wrong number shows in UMSP-6.3.1-10"},
      {"UMSP-6.3.1-10", must, any, kJump, trace, octets,
       "OPR_LENGTH of JUMP and CALL is that of VM, address, number and parameters, rounded up to words.", "UMSP/A29"},
      {"UMSP-6.3.1-11", must, any, kJump, none, octets,
       "Parameters of JUMP and CALL follow, as many words as that number says.",
       "UMSP/A29; a wrong number shows in UMSP-6.3.1-10"},
      {"UMSP-6.3.1-12", must, any, kJump, stimulus, octets,
       "JUMP or CALL with a wrong address gets a negative RSP.", {}, {{jump_bad_address_taken, executor}}},
      {"UMSP-6.3.1-13", may, any, kJump, none, octets,
       "The receiver may check call parameters before it answers.", "a permission"},
      {"UMSP-6.3.1-14", must, any, kJump, stimulus, octets,
       "JUMP with right address and parameters gets a positive RSP.", {}, {{jump_refused, executor}}},
      {"UMSP-6.3.1-15", must, any, kJump, trace, order,
       "JUMP is answered by RSP, not by RETURN."},
      {"UMSP-6.3.1-16", must, any, kJump, api, octets,
       "The sender takes JUMP for executed only after the answer.", "what a sender believes is not on the wire"},
      {"UMSP-6.3.1-17", must, any, kJump, trace, order,
       "CALL with ASK 1 is answered by RETURN, or by RSP."},
      {"UMSP-6.3.1-18", must_not, any, kJump, trace, order,
       "CALL is not answered by a positive RSP."},
      {"UMSP-6.3.1-19", must, any, kJump, stimulus, octets,
       "RETURN may carry values: its sender is not asked for any.", {}, {{return_data_demanded, executor}}},
      {"UMSP-6.3.1-20", must, any, kJump, stimulus, octets,
       "An exception in the thread of a CALL gets a negative RSP in place of RETURN.", {},
       {{exception_returns, executor}, {exception_silent, executor}}},
      {"UMSP-6.3.2-1", must, any, kReturn, trace, order,
       "RETURN answers CALL, MVRUN, CALL_BNUM or CALL_BNAME.",
       "Where the request has a rule on its answer, that one is reported."},
      {"UMSP-6.3.2-2", must, any, kReturn, stimulus, octets,
       "RETURN is taken with any number of operand words, 0 to 65535.", {}, {{return_length_checked, executor}}},
      {"UMSP-6.3.2-3", must, any, kReturn, none, octets,
       "Operands of RETURN are the returned data alone, at most 262140 octets.",
       "the form itself: all octets are data, and OPR_LENGTH cannot count more"},
      {"UMSP-6.3.2-4", must, any, kReturn, none, octets,
       "RETURN without values has no operands.", "whether there was a value to be returned is known to the VM"},
      {"UMSP-6.3.2-5", must, any, kReturn, api, octets,
       "The data of RETURN have the format, that of sender or addressee, of the call's parameters.",
       "what the data mean is known to the VM",
       {{return_in_own_format, executor}, {smaller_versions_refused, executor}}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ControlTransferRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ControlTransferRules, I> {
};
