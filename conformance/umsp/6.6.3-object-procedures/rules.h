// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct ObjectProceduresRules : Words {
  static constexpr std::string_view kCallBnum = "RFC 3018 6.6.3.1";
  static constexpr std::string_view kCallBname = "RFC 3018 6.6.3.2";
  static constexpr std::string_view kGetNumProc = "RFC 3018 6.6.3.3";
  static constexpr std::string_view kProcNum = "RFC 3018 6.6.3.4";
  static constexpr std::string_view kTheFormItselfOtherOctets = "the form itself: other octets are another object";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-6.6.3.1-1", must, any, kCallBnum, none, octets,
       "CALL_BNUM has OPCODE 202 without VM type and version of the sender, and 203 with them.",
       "the form itself: another OPCODE reads as another form"},
      {"UMSP-6.6.3.1-2", must, any, kCallBnum, trace, octets,
       "CALL_BNUM has parameters: OPR_LENGTH with OPCODE 202 is 4 at least."},
      {"UMSP-6.6.3.1-3", must, any, kCallBnum, trace, octets,
       "CALL_BNUM has parameters: OPR_LENGTH with OPCODE 203 is 5 at least."},
      {"UMSP-6.6.3.1-4", must, any, kCallBnum, none, octets,
       "OPCODE 203: the first operands are VM type and version of the sender, 2 octets each.",
       "the form itself: other octets are another VM"},
      {"UMSP-6.6.3.1-5", must, any, kCallBnum, none, octets,
       "OPCODE 202: VM type and version are absent.", "the form itself: they read as the object"},
      {"UMSP-6.6.3.1-6", must, any, kCallBnum, none, octets,
       "Number, version and realization of the object follow in CALL_BNUM.", kTheFormItselfOtherOctets},
      {"UMSP-6.6.3.1-7", must, any, kCallBnum, none, octets,
       "The number of the procedure follows in CALL_BNUM, 4 octets.",
       "the form itself: other octets are another procedure"},
      {"UMSP-6.6.3.1-8", must, any, kCallBnum, none, octets,
       "Parameters of CALL_BNUM fill the remaining words, 4 to 262128 octets.",
       "UMSP-6.6.3.1-2 and UMSP-6.6.3.1-3 have the lower end, OPR_LENGTH the upper one"},
      {"UMSP-6.6.3.1-9", must, any, kCallBnum, trace, order,
       "CALL_BNUM with ASK 1 is answered as CALL is: by RETURN, or by a negative RSP."},
      {"UMSP-6.6.3.1-10", must, any, kCallBnum, stimulus, octets,
       "CALL_BNUM with a wrong object or procedure gets a negative RSP.", {}, {{call_bnum_missing_returns, executor}}},
      {"UMSP-6.6.3.2-1", must, any, kCallBname, none, octets,
       "CALL_BNAME has OPCODE 204 without VM type and version of the sender, and 205 with them.",
       "the form itself: another OPCODE reads as another form"},
      {"UMSP-6.6.3.2-2", must, any, kCallBname, trace, octets,
       "CALL_BNAME has parameters: OPR_LENGTH with OPCODE 204 is 3 at least, and 4 with 205."},
      {"UMSP-6.6.3.2-3", must, any, kCallBname, none, octets,
       "OPCODE 205: the first operands are VM type and version of the sender, 2 octets each.",
       "the form itself: other octets are another VM"},
      {"UMSP-6.6.3.2-4", must, any, kCallBname, none, octets,
       "OPCODE 204: VM type and version are absent.", "the form itself: they read as the object"},
      {"UMSP-6.6.3.2-5", must, any, kCallBname, none, octets,
       "Number, version and realization of the object follow in CALL_BNAME.", kTheFormItselfOtherOctets},
      {"UMSP-6.6.3.2-6", must, any, kCallBname, none, octets,
       "Parameters of CALL_BNAME fill the remaining words, 4 to 262128 octets.",
       "UMSP-6.6.3.2-2 has the lower end, OPR_LENGTH the upper one"},
      {"UMSP-6.6.3.2-7", must, any, kCallBname, trace, octets,
       "CALL_BNAME has a _NAME header with the name of the procedure."},
      {"UMSP-6.6.3.2-8", must, any, kCallBname, trace, order,
       "CALL_BNAME with ASK 1 is answered as CALL is: by RETURN, or by a negative RSP."},
      {"UMSP-6.6.3.2-9", must, any, kCallBname, stimulus, octets,
       "CALL_BNAME with a wrong object or name gets a negative RSP.", {}, {{call_bname_missing_returns, executor}}},
      {"UMSP-6.6.3.2-10", must, any, kCallBname, trace, octets,
       "CALL_BNAME names objects of the ranges III and IV only."},
      {"UMSP-6.6.3.2-11", must_not, any, kCallBname, stimulus, octets,
       "Procedures of objects of the ranges I and II have no names on the UMSP layer.", {},
       {{user_procedures_named, executor}}},
      {"UMSP-6.6.3.2-12", must, any, kCallBname, stimulus, octets,
       "Procedures of objects of the ranges I and II are called by number.", {},
       {{user_procedures_not_called, executor}}},
      {"UMSP-6.6.3.3-1", must, any, kGetNumProc, trace, octets,
       "GET_NUM_PROC asks for objects of the ranges III and IV only.", "UMSP/A34"},
      {"UMSP-6.6.3.3-2", must, any, kGetNumProc, trace, octets,
       "GET_NUM_PROC has 2 words of operands."},
      {"UMSP-6.6.3.3-3", must, any, kGetNumProc, none, octets,
       "Operands of GET_NUM_PROC are number, version and realization of the object.", kTheFormItselfOtherOctets},
      {"UMSP-6.6.3.3-4", must, any, kGetNumProc, trace, octets,
       "GET_NUM_PROC has a _NAME header with the name of the procedure."},
      {"UMSP-6.6.3.3-5", must, any, kGetNumProc, trace, order,
       "GET_NUM_PROC with ASK 1 is answered by PROC_NUM, or by RSP."},
      {"UMSP-6.6.3.3-6", must_not, any, kGetNumProc, trace, order,
       "GET_NUM_PROC is not answered by a positive RSP."},
      {"UMSP-6.6.3.4-1", must, any, kProcNum, trace, order,
       "PROC_NUM answers GET_NUM_PROC.", "Where the request has a rule on its answer, that one is reported."},
      {"UMSP-6.6.3.4-2", must, any, kProcNum, trace, octets,
       "PROC_NUM has 3 words of operands."},
      {"UMSP-6.6.3.4-3", must, any, kProcNum, none, octets,
       "The first operands of PROC_NUM are number, version and realization of the object.", kTheFormItselfOtherOctets},
      {"UMSP-6.6.3.4-4", must, any, kProcNum, trace, order,
       "The object of PROC_NUM is that of GET_NUM_PROC."},
      {"UMSP-6.6.3.4-5", must, any, kProcNum, none, octets,
       "The last operand of PROC_NUM is the number of the procedure, 4 octets.",
       "the form itself: other octets are another procedure"},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ObjectProceduresRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ObjectProceduresRules, I> {
};
