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
       "A receiver executes either all instructions of a transaction or none.", {}, {{executes_what_it_can, executor}}},
      {"UMSP-7.2-2", must, executor, kS7_2, stimulus, octets,
       "A receiver allows a transaction to be cancelled or confirmed before it is executed.", {},
       {{exec_ignored, executor}}},
      {"UMSP-7.2-3", must_not, executor, kS7_2, stimulus, octets,
       "A receiver does not cancel a transaction that it has executed.", {}, {{executed_is_cancelled, executor}}},
      {"UMSP-7.2-4", should, executor, kS7_2, api, octets,
       "If an executed transaction has to be undone, the VM does it.",
       "What is above or below the protocol layer is not on the wire"},
      {"UMSP-7.2-5", must, any, kS7_2, api, octets,
       "The VM begins a transaction.", "What is above or below the protocol layer is not on the wire"},
      {"UMSP-7.2-6", must, any, kS7_2, none, octets,
       "A sender knows the length of a transaction before it sends it.", "What a sender knows is not on the wire"},
      {"UMSP-7.2.1-1", must, any, kS7_2_1, trace, octets,
       "The instruction with _BEGIN_TR is part of a chain, so CHN is 1."},
      {"UMSP-7.2.1-2", must, any, kS7_2_1, none, octets,
       "_BEGIN_TR has HEAD_CODE 4.", "Another code is another header"},
      {"UMSP-7.2.1-3", must, any, kS7_2_1, trace, octets,
       "_BEGIN_TR has one word of DATA."},
      {"UMSP-7.2.1-4", must, any, kS7_2_1, trace, octets,
       "_BEGIN_TR has HOB 1."},
      {"UMSP-7.2.1-5", must, any, kS7_2_1, none, octets,
       "DATA of _BEGIN_TR is TRE, TRR and TRT (one bit each), 5 reserved bits, and TIME_TR (1 octet).",
       "UMSP/A34; any two octets have that form"},
      {"UMSP-7.2.1-6", must, executor, kS7_2_1, stimulus, octets,
       "If TRE is 1, the receiver executes a complete, unexecuted transaction when its lifetime ends.", {},
       {{tre_not_executed, executor}}},
      {"UMSP-7.2.1-7", must, executor, kS7_2_1, stimulus, octets,
       "If TRE is 1, the receiver executes a complete, unexecuted transaction when the session ends abnormally.", {},
       {{tre_forgotten_at_end, executor}}},
      {"UMSP-7.2.1-8", must, executor, kS7_2_1, stimulus, octets,
       "If TRE is 0, the receiver cancels a transaction whose lifetime has ended.", {},
       {{executed_over_time, executor}}},
      {"UMSP-7.2.1-9", must, executor, kS7_2_1, stimulus, octets,
       "If TRE is 0, a transaction whose lifetime has ended gets a negative response if its first instruction had ASK "
       "1.", "UMSP/B23", {{executed_over_time, executor}, {time_over_unanswered, executor}}},
      {"UMSP-7.2.1-10", must, executor, kS7_2_1, stimulus, octets,
       "If TRE is 0, the receiver cancels a transaction without a response when the session ends abnormally.", {},
       {{all_executed_at_end, executor}}},
      {"UMSP-7.2.1-11", must, executor, kS7_2_1, stimulus, octets,
       "If TRR is 1, the receiver executes a transaction as soon as it has all of it.", {},
       {{waits_for_exec, executor}}},
      {"UMSP-7.2.1-12", must_not, executor, kS7_2_1, stimulus, octets,
       "If TRR is 1, the receiver executes no instruction of a transaction before its _END_CHAIN.", {},
       {{transaction_executed_early, executor}}},
      {"UMSP-7.2.1-13", must, initiator, kS7_2_1, none, octets,
       "If TRR is 0, the sender sends EXEC_TR to have a transaction executed.",
       "A sender that wants no execution sends none"},
      {"UMSP-7.2.1-14", must_not, executor, kS7_2_1, stimulus, octets,
       "If TRR is 0, the receiver does not execute a transaction before EXEC_TR.", {},
       {{executes_without_exec, executor}}},
      {"UMSP-7.2.1-15", must, any, kS7_2_1, none, octets,
       "If TRT is 1, some further processing precedes the execution.", "The document defines no use of it"},
      {"UMSP-7.2.1-16", must, any, kS7_2_1, trace, octets,
       "A sender sets TRT to 0.", "UMSP/A34"},
      {"UMSP-7.2.1-17", must, any, kS7_2_1, trace, octets,
       "A sender sets the 5 reserved bits of _BEGIN_TR to 0."},
      {"UMSP-7.2.1-18", must, executor, kS7_2_1, stimulus, octets,
       "TIME_TR counts intervals of 2 seconds.", "UMSP/A42", {{time_in_seconds, executor}}},
      {"UMSP-7.2.1-19", must, executor, kS7_2_1, stimulus, octets,
       "The receiver counts the lifetime of a transaction from the time when it has all instructions.", {},
       {{time_from_beginning, executor}}},
      {"UMSP-7.2.1-20", must, executor, kS7_2_1, stimulus, octets,
       "If TIME_TR is 0, the lifetime of a transaction is not limited.", {}, {{no_unlimited_time, executor}}},
      {"UMSP-7.2.1-21", must, any, kS7_2_1, none, octets,
       "The last instruction of a transaction has _END_CHAIN.", "UMSP-7-15"},
      {"UMSP-7.2.2-1", must, initiator, kS7_2_2, trace, absence,
       "EXEC_TR names a transaction that was completely sent before.",
       "UMSP/B31, UMSP/B46: a warning if the transaction may be on another connection, or was executed before"},
      {"UMSP-7.2.2-2", must, executor, kS7_2_2, stimulus, octets,
       "A receiver executes the transaction on EXEC_TR.", {}, {{exec_without_execution, executor}}},
      {"UMSP-7.2.2-3", must, initiator, kS7_2_2, trace, octets,
       "EXEC_TR has ASK 1.", "UMSP/B20"},
      {"UMSP-7.2.2-4", must, executor, kS7_2_2, stimulus, octets,
       "A receiver answers EXEC_TR.", "UMSP-3.1-12 judges a missing response", {{exec_unanswered, executor}}},
      {"UMSP-7.2.2-5", must, initiator, kS7_2_2, none, octets,
       "EXEC_TR has PCK 01, 10 or 11.", "UMSP-3.1-15 judges PCK 00 in a chain"},
      {"UMSP-7.2.2-6", must, initiator, kS7_2_2, trace, octets,
       "EXEC_TR has CHN 1."},
      {"UMSP-7.2.2-7", must, executor, kS7_2_2, stimulus, octets,
       "A receiver accepts EXEC_TR with and without extension headers.", {}, {{exec_with_header_ignored, executor}}},
      {"UMSP-7.2.2-8", must, initiator, kS7_2_2, none, octets,
       "CHAIN_NUMBER of EXEC_TR is that of the transaction to execute.", "UMSP-7.2.2-1"},
      {"UMSP-7.2.2-9", must, initiator, kS7_2_2, trace, octets,
       "INSTR_NUMBER of EXEC_TR, if present, is 0.", "UMSP/A8"},
      {"UMSP-7.2.2-10", must, initiator, kS7_2_2, trace, octets,
       "EXEC_TR has no operands."},
      {"UMSP-7.2.3-1", must, initiator, kS7_2_3, trace, absence,
       "CANCEL_TR names a transaction that was sent before.",
       "UMSP/B31: a warning if the transaction may be on another connection"},
      {"UMSP-7.2.3-2", must, initiator, kS7_2_3, trace, octets,
       "CANCEL_TR has ASK 0."},
      {"UMSP-7.2.3-3", must, initiator, kS7_2_3, none, octets,
       "CANCEL_TR has PCK 01, 10 or 11.", "UMSP-3.1-15 judges PCK 00 in a chain"},
      {"UMSP-7.2.3-4", must, initiator, kS7_2_3, trace, octets,
       "CANCEL_TR has CHN 1."},
      {"UMSP-7.2.3-5", must, executor, kS7_2_3, stimulus, octets,
       "A receiver accepts CANCEL_TR with and without extension headers.", {},
       {{cancel_with_header_ignored, executor}}},
      {"UMSP-7.2.3-6", must, initiator, kS7_2_3, none, octets,
       "CHAIN_NUMBER of CANCEL_TR is that of the transaction to cancel.", "UMSP-7.2.3-1"},
      {"UMSP-7.2.3-7", must, initiator, kS7_2_3, trace, octets,
       "INSTR_NUMBER of CANCEL_TR, if present, is 0.", "UMSP/A8"},
      {"UMSP-7.2.3-8", must, initiator, kS7_2_3, trace, octets,
       "CANCEL_TR has no operands."},
      {"UMSP-7.2.3-9", must, executor, kS7_2_3, stimulus, octets,
       "A receiver deletes a cancelled transaction, and EXEC_TR does not restore it.", {},
       {{cancelled_comes_back, executor}}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::TransactionsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::TransactionsRules, I> {
};
