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
       "JUMP and CALL have the same format.", "The table of operands defines it"},
      {"UMSP-6.3.1-2", must, any, kJump, none, octets,
       "JUMP has OPCODE 143 without the sender's VM type and version, and 144 with them.",
       "The form itself: another OPCODE reads as another form"},
      {"UMSP-6.3.1-3", must, any, kJump, none, octets,
       "CALL has OPCODE 145 without the sender's VM type and version, and 146 with them.",
       "The form itself: another OPCODE reads as another form"},
      {"UMSP-6.3.1-4", must, any, kJump, trace, octets,
       "OPR_LENGTH of JUMP and CALL is at least 2, and at least 3 with the sender's VM."},
      {"UMSP-6.3.1-5", must, any, kJump, none, octets,
       "With OPCODE 144 or 146, the first operands are the sender's VM type and version (2 octets each).",
       "The form itself: other octets are another VM"},
      {"UMSP-6.3.1-6", must, any, kJump, none, octets,
       "With OPCODE 143 or 145, VM type and version are absent.", "The form itself: they read as the address"},
      {"UMSP-6.3.1-7", must, any, kJump, trace, octets,
       "VM type and version in JUMP and CALL are 1 to 65534."},
      {"UMSP-6.3.1-8", must, any, kJump, none, octets,
       "The address of JUMP and CALL has 4, 8 or 16 octets.", "UMSP-6.3.1-10 shows a wrong length"},
      {"UMSP-6.3.1-9", must, any, kJump, none, octets,
       "After the address, JUMP and CALL have 2 octets with the number of 32-bit words of parameters.",
       "UMSP-6.3.1-10 shows a wrong number"},
      {"UMSP-6.3.1-10", must, any, kJump, trace, octets,
       "OPR_LENGTH of JUMP and CALL is the combined length of VM, address, number and parameters, rounded up to words.",
       "UMSP/A29"},
      {"UMSP-6.3.1-11", must, any, kJump, none, octets,
       "The parameters of JUMP and CALL have as many words as the number before them.",
       "UMSP/A29; UMSP-6.3.1-10 shows a wrong number"},
      {"UMSP-6.3.1-12", must, any, kJump, stimulus, octets,
       "If the address of a JUMP or CALL is wrong, the receiver sends a negative RSP.", {},
       {{jump_bad_address_taken, executor}}},
      {"UMSP-6.3.1-13", may, any, kJump, none, octets,
       "The receiver may check call parameters before it answers.", "A permission"},
      {"UMSP-6.3.1-14", must, any, kJump, stimulus, octets,
       "If the address and parameters of a JUMP are right, the receiver sends a positive RSP.", {},
       {{jump_refused, executor}}},
      {"UMSP-6.3.1-15", must, any, kJump, trace, order,
       "A node answers JUMP with RSP, not with RETURN."},
      {"UMSP-6.3.1-16", must, any, kJump, api, octets,
       "The sender considers JUMP executed only after the answer.", "What a sender considers is not on the wire"},
      {"UMSP-6.3.1-17", must, any, kJump, trace, order,
       "The answer to a CALL with ASK 1 is RETURN or RSP."},
      {"UMSP-6.3.1-18", must_not, any, kJump, trace, order,
       "A node does not answer CALL with a positive RSP."},
      {"UMSP-6.3.1-19", must, any, kJump, stimulus, octets,
       "A node may send RETURN with or without values, and the requester accepts both.", {},
       {{return_data_demanded, executor}}},
      {"UMSP-6.3.1-20", must, any, kJump, stimulus, octets,
       "If the thread of a CALL has an exception, the node sends a negative RSP instead of RETURN.", {},
       {{exception_returns, executor}, {exception_silent, executor}}},
      {"UMSP-6.3.2-1", must, any, kReturn, trace, order,
       "RETURN answers CALL, MVRUN, CALL_BNUM or CALL_BNAME.",
       "If a rule of the request covers its answer, that rule is reported."},
      {"UMSP-6.3.2-2", must, any, kReturn, stimulus, octets,
       "A receiver accepts RETURN with 0 to 65535 words of operands.", {}, {{return_length_checked, executor}}},
      {"UMSP-6.3.2-3", must, any, kReturn, none, octets,
       "The operands of RETURN are only the returned data, at most 262140 octets.",
       "The form itself: all octets are data, and OPR_LENGTH cannot count more"},
      {"UMSP-6.3.2-4", must, any, kReturn, none, octets,
       "RETURN without values has no operands.", "Only the VM knows whether there was a value to return"},
      {"UMSP-6.3.2-5", must, any, kReturn, api, octets,
       "The data of RETURN have the same format as the parameters of the call: the sender's or the addressee's.",
       "Only the VM knows what the data mean",
       {{return_in_own_format, executor}, {smaller_versions_refused, executor}}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ControlTransferRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ControlTransferRules, I> {
};
