// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct ObjectProceduresRules : Words {
  static constexpr std::string_view kCallBnum = "RFC 3018 6.6.3.1";
  static constexpr std::string_view kCallBname = "RFC 3018 6.6.3.2";
  static constexpr std::string_view kGetNumProc = "RFC 3018 6.6.3.3";
  static constexpr std::string_view kProcNum = "RFC 3018 6.6.3.4";
  static constexpr std::string_view kTheFormItselfOtherOctets = "The form itself: other octets are another object";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-6.6.3.1-1", must, any, kCallBnum, none, octets,
       "CALL_BNUM has OPCODE 202 without the sender's VM type and version, and 203 with them.",
       "The form itself: another OPCODE reads as another form"},
      {"UMSP-6.6.3.1-2", must, any, kCallBnum, trace, octets,
       "CALL_BNUM has parameters, so OPR_LENGTH is at least 4 with OPCODE 202."},
      {"UMSP-6.6.3.1-3", must, any, kCallBnum, trace, octets,
       "CALL_BNUM has parameters, so OPR_LENGTH is at least 5 with OPCODE 203."},
      {"UMSP-6.6.3.1-4", must, any, kCallBnum, none, octets,
       "With OPCODE 203, the first operands are the sender's VM type and version (2 octets each).",
       "The form itself: other octets are another VM"},
      {"UMSP-6.6.3.1-5", must, any, kCallBnum, none, octets,
       "With OPCODE 202, VM type and version are absent.", "The form itself: they read as the object"},
      {"UMSP-6.6.3.1-6", must, any, kCallBnum, none, octets,
       "In CALL_BNUM, the number, version and realization of the object follow.", kTheFormItselfOtherOctets},
      {"UMSP-6.6.3.1-7", must, any, kCallBnum, none, octets,
       "In CALL_BNUM, the number of the procedure (4 octets) follows.",
       "The form itself: other octets are another procedure"},
      {"UMSP-6.6.3.1-8", must, any, kCallBnum, none, octets,
       "The parameters of CALL_BNUM fill the remaining words and have 4 to 262128 octets.",
       "UMSP-6.6.3.1-2 and UMSP-6.6.3.1-3 set the lower limit, OPR_LENGTH the upper one"},
      {"UMSP-6.6.3.1-9", must, any, kCallBnum, trace, order,
       "The answer to a CALL_BNUM with ASK 1 is RETURN or a negative RSP, as for CALL."},
      {"UMSP-6.6.3.1-10", must, any, kCallBnum, stimulus, octets,
       "If the object or procedure of a CALL_BNUM is wrong, the receiver sends a negative RSP.", {},
       {{call_bnum_missing_returns, executor}}},
      {"UMSP-6.6.3.2-1", must, any, kCallBname, none, octets,
       "CALL_BNAME has OPCODE 204 without the sender's VM type and version, and 205 with them.",
       "The form itself: another OPCODE reads as another form"},
      {"UMSP-6.6.3.2-2", must, any, kCallBname, trace, octets,
       "CALL_BNAME has parameters, so OPR_LENGTH is at least 3 with OPCODE 204, and at least 4 with 205."},
      {"UMSP-6.6.3.2-3", must, any, kCallBname, none, octets,
       "With OPCODE 205, the first operands are the sender's VM type and version (2 octets each).",
       "The form itself: other octets are another VM"},
      {"UMSP-6.6.3.2-4", must, any, kCallBname, none, octets,
       "With OPCODE 204, VM type and version are absent.", "The form itself: they read as the object"},
      {"UMSP-6.6.3.2-5", must, any, kCallBname, none, octets,
       "In CALL_BNAME, the number, version and realization of the object follow.", kTheFormItselfOtherOctets},
      {"UMSP-6.6.3.2-6", must, any, kCallBname, none, octets,
       "The parameters of CALL_BNAME fill the remaining words and have 4 to 262128 octets.",
       "UMSP-6.6.3.2-2 sets the lower limit, OPR_LENGTH the upper one"},
      {"UMSP-6.6.3.2-7", must, any, kCallBname, trace, octets,
       "CALL_BNAME has a _NAME header with the name of the procedure."},
      {"UMSP-6.6.3.2-8", must, any, kCallBname, trace, order,
       "The answer to a CALL_BNAME with ASK 1 is RETURN or a negative RSP, as for CALL."},
      {"UMSP-6.6.3.2-9", must, any, kCallBname, stimulus, octets,
       "If the object or name of a CALL_BNAME is wrong, the receiver sends a negative RSP.", {},
       {{call_bname_missing_returns, executor}}},
      {"UMSP-6.6.3.2-10", must, any, kCallBname, trace, octets,
       "CALL_BNAME names only objects of the ranges III and IV."},
      {"UMSP-6.6.3.2-11", must_not, any, kCallBname, stimulus, octets,
       "Procedures of objects of the ranges I and II have no names at the UMSP layer.", {},
       {{user_procedures_named, executor}}},
      {"UMSP-6.6.3.2-12", must, any, kCallBname, stimulus, octets,
       "A node calls procedures of objects of the ranges I and II by number.", {},
       {{user_procedures_not_called, executor}}},
      {"UMSP-6.6.3.3-1", must, any, kGetNumProc, trace, octets,
       "GET_NUM_PROC names only objects of the ranges III and IV.", "UMSP/A34"},
      {"UMSP-6.6.3.3-2", must, any, kGetNumProc, trace, octets,
       "GET_NUM_PROC has 2 words of operands."},
      {"UMSP-6.6.3.3-3", must, any, kGetNumProc, none, octets,
       "The operands of GET_NUM_PROC are the number, version and realization of the object.",
       kTheFormItselfOtherOctets},
      {"UMSP-6.6.3.3-4", must, any, kGetNumProc, trace, octets,
       "GET_NUM_PROC has a _NAME header with the name of the procedure."},
      {"UMSP-6.6.3.3-5", must, any, kGetNumProc, trace, order,
       "The answer to a GET_NUM_PROC with ASK 1 is PROC_NUM or RSP."},
      {"UMSP-6.6.3.3-6", must_not, any, kGetNumProc, trace, order,
       "A node does not answer GET_NUM_PROC with a positive RSP."},
      {"UMSP-6.6.3.4-1", must, any, kProcNum, trace, order,
       "PROC_NUM answers GET_NUM_PROC.", "If a rule of the request covers its answer, that rule is reported."},
      {"UMSP-6.6.3.4-2", must, any, kProcNum, trace, octets,
       "PROC_NUM has 3 words of operands."},
      {"UMSP-6.6.3.4-3", must, any, kProcNum, none, octets,
       "The first operands of PROC_NUM are the number, version and realization of the object.",
       kTheFormItselfOtherOctets},
      {"UMSP-6.6.3.4-4", must, any, kProcNum, trace, order,
       "PROC_NUM names the same object as GET_NUM_PROC."},
      {"UMSP-6.6.3.4-5", must, any, kProcNum, none, octets,
       "The last operand of PROC_NUM is the number of the procedure (4 octets).",
       "The form itself: other octets are another procedure"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ObjectProceduresRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ObjectProceduresRules, I> {
};
