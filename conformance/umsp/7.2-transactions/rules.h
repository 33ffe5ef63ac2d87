// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct TransactionsRules : Words {
  static constexpr std::string_view kS7_2 = "RFC 3018 7.2";
  static constexpr std::string_view kS7_2_1 = "RFC 3018 7.2.1";
  static constexpr std::string_view kS7_2_2 = "RFC 3018 7.2.2";
  static constexpr std::string_view kS7_2_3 = "RFC 3018 7.2.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-7.2-1", must, executor, kS7_2, stimulus, octets,
       "The instructions of a transaction are executed all, or none.", {}, {{executes_what_it_can, executor}}},
      {"UMSP-7.2-2", must, executor, kS7_2, stimulus, octets,
       "A transaction can be cancelled or confirmed before it is executed.", {}, {{exec_ignored, executor}}},
      {"UMSP-7.2-3", must_not, executor, kS7_2, stimulus, octets,
       "A transaction that was executed is not cancelled.", {}, {{executed_is_cancelled, executor}}},
      {"UMSP-7.2-4", should, executor, kS7_2, api, octets,
       "Undoing an executed transaction is for the VM to do.",
       "what is above or below the protocol layer is not on the wire"},
      {"UMSP-7.2-5", must, any, kS7_2, api, octets,
       "A transaction is begun by the VM.", "what is above or below the protocol layer is not on the wire"},
      {"UMSP-7.2-6", must, any, kS7_2, none, octets,
       "The length of a transaction is known before it is sent.", "what a sender knows is not on the wire"},
      {"UMSP-7.2.1-1", must, any, kS7_2_1, trace, octets,
       "_BEGIN_TR is in an instruction of a chain: CHN is 1."},
      {"UMSP-7.2.1-2", must, any, kS7_2_1, none, octets,
       "_BEGIN_TR has HEAD_CODE 4.", "another code is another header"},
      {"UMSP-7.2.1-3", must, any, kS7_2_1, trace, octets,
       "_BEGIN_TR has one word of DATA."},
      {"UMSP-7.2.1-4", must, any, kS7_2_1, trace, octets,
       "_BEGIN_TR has HOB 1."},
      {"UMSP-7.2.1-5", must, any, kS7_2_1, none, octets,
       "DATA of _BEGIN_TR is TRE, TRR and TRT, one bit each, 5 reserved bits and TIME_TR in 1 octet.",
       "UMSP/A34; any two octets have that form"},
      {"UMSP-7.2.1-6", must, executor, kS7_2_1, stimulus, octets,
       "TRE 1: a transaction that is complete and not executed is executed when its time is over.", {},
       {{tre_not_executed, executor}}},
      {"UMSP-7.2.1-7", must, executor, kS7_2_1, stimulus, octets,
       "TRE 1: a transaction that is complete and not executed is executed at the emergency end of the session.", {},
       {{tre_forgotten_at_end, executor}}},
      {"UMSP-7.2.1-8", must, executor, kS7_2_1, stimulus, octets,
       "TRE 0: a transaction whose time is over is cancelled.", {}, {{executed_over_time, executor}}},
      {"UMSP-7.2.1-9", must, executor, kS7_2_1, stimulus, octets,
       "TRE 0: a transaction whose time is over gets a negative answer if its first instruction had ASK 1.",
       "UMSP/B23", {{executed_over_time, executor}, {time_over_unanswered, executor}}},
      {"UMSP-7.2.1-10", must, executor, kS7_2_1, stimulus, octets,
       "TRE 0: a transaction is cancelled at the emergency end of the session, without an answer.", {},
       {{all_executed_at_end, executor}}},
      {"UMSP-7.2.1-11", must, executor, kS7_2_1, stimulus, octets,
       "TRR 1: a transaction is executed as soon as all of it is there.", {}, {{waits_for_exec, executor}}},
      {"UMSP-7.2.1-12", must_not, executor, kS7_2_1, stimulus, octets,
       "TRR 1: nothing of a transaction is executed before its _END_CHAIN.", {},
       {{transaction_executed_early, executor}}},
      {"UMSP-7.2.1-13", must, initiator, kS7_2_1, none, octets,
       "TRR 0: EXEC_TR is sent to have a transaction executed.", "who wants no execution sends none"},
      {"UMSP-7.2.1-14", must_not, executor, kS7_2_1, stimulus, octets,
       "TRR 0: a transaction is not executed before EXEC_TR.", {}, {{executes_without_exec, executor}}},
      {"UMSP-7.2.1-15", must, any, kS7_2_1, none, octets,
       "TRT 1: some further processing comes before the execution.", "the document defines no use of it"},
      {"UMSP-7.2.1-16", must, any, kS7_2_1, trace, octets,
       "TRT is 0.", "UMSP/A34"},
      {"UMSP-7.2.1-17", must, any, kS7_2_1, trace, octets,
       "The 5 reserved bits of _BEGIN_TR are 0."},
      {"UMSP-7.2.1-18", must, executor, kS7_2_1, stimulus, octets,
       "TIME_TR counts intervals of 2 seconds.", "UMSP/A42", {{time_in_seconds, executor}}},
      {"UMSP-7.2.1-19", must, executor, kS7_2_1, stimulus, octets,
       "The time of a transaction begins when all of its instructions are there.", {},
       {{time_from_beginning, executor}}},
      {"UMSP-7.2.1-20", must, executor, kS7_2_1, stimulus, octets,
       "TIME_TR 0: the life of a transaction is not limited.", {}, {{no_unlimited_time, executor}}},
      {"UMSP-7.2.1-21", must, any, kS7_2_1, none, octets,
       "The last instruction of a transaction has _END_CHAIN.", "UMSP-7-15"},
      {"UMSP-7.2.2-1", must, initiator, kS7_2_2, trace, absence,
       "EXEC_TR names a transaction that was sent before, whole.",
       "UMSP/B31, UMSP/B46: a warning if the transaction could be on another connection, or was executed before"},
      {"UMSP-7.2.2-2", must, executor, kS7_2_2, stimulus, octets,
       "At EXEC_TR the transaction is executed.", {}, {{exec_without_execution, executor}}},
      {"UMSP-7.2.2-3", must, initiator, kS7_2_2, trace, octets,
       "EXEC_TR has ASK 1.", "UMSP/B20"},
      {"UMSP-7.2.2-4", must, executor, kS7_2_2, stimulus, octets,
       "EXEC_TR is answered.", "an answer that is missing: UMSP-3.1-12", {{exec_unanswered, executor}}},
      {"UMSP-7.2.2-5", must, initiator, kS7_2_2, none, octets,
       "EXEC_TR has PCK 01, 10 or 11.", "PCK 00 in a chain: UMSP-3.1-15"},
      {"UMSP-7.2.2-6", must, initiator, kS7_2_2, trace, octets,
       "EXEC_TR has CHN 1."},
      {"UMSP-7.2.2-7", must, executor, kS7_2_2, stimulus, octets,
       "A receiver takes EXEC_TR with and without extension headers.", {}, {{exec_with_header_ignored, executor}}},
      {"UMSP-7.2.2-8", must, initiator, kS7_2_2, none, octets,
       "CHAIN_NUMBER of EXEC_TR is that of the transaction to be executed.", "UMSP-7.2.2-1"},
      {"UMSP-7.2.2-9", must, initiator, kS7_2_2, trace, octets,
       "INSTR_NUMBER of EXEC_TR, where it is in the header, is 0.", "UMSP/A8"},
      {"UMSP-7.2.2-10", must, initiator, kS7_2_2, trace, octets,
       "EXEC_TR has no operands."},
      {"UMSP-7.2.3-1", must, initiator, kS7_2_3, trace, absence,
       "CANCEL_TR names a transaction that was sent before.",
       "UMSP/B31: a warning where the transaction could be on another connection"},
      {"UMSP-7.2.3-2", must, initiator, kS7_2_3, trace, octets,
       "CANCEL_TR has ASK 0."},
      {"UMSP-7.2.3-3", must, initiator, kS7_2_3, none, octets,
       "CANCEL_TR has PCK 01, 10 or 11.", "PCK 00 in a chain: UMSP-3.1-15"},
      {"UMSP-7.2.3-4", must, initiator, kS7_2_3, trace, octets,
       "CANCEL_TR has CHN 1."},
      {"UMSP-7.2.3-5", must, executor, kS7_2_3, stimulus, octets,
       "A receiver takes CANCEL_TR with and without extension headers.", {}, {{cancel_with_header_ignored, executor}}},
      {"UMSP-7.2.3-6", must, initiator, kS7_2_3, none, octets,
       "CHAIN_NUMBER of CANCEL_TR is that of the transaction to be cancelled.", "UMSP-7.2.3-1"},
      {"UMSP-7.2.3-7", must, initiator, kS7_2_3, trace, octets,
       "INSTR_NUMBER of CANCEL_TR, where it is in the header, is 0.", "UMSP/A8"},
      {"UMSP-7.2.3-8", must, initiator, kS7_2_3, trace, octets,
       "CANCEL_TR has no operands."},
      {"UMSP-7.2.3-9", must, executor, kS7_2_3, stimulus, octets,
       "The instructions of a cancelled transaction are dropped for good: EXEC_TR does not bring them back.", {},
       {{cancelled_comes_back, executor}}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::TransactionsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::TransactionsRules, I> {
};
