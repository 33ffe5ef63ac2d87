// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct ChainsRules : Words {
  static constexpr std::string_view kS7 = "RFC 3018 7";
  static constexpr std::string_view kS7_1 = "RFC 3018 7.1";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-7-1", must, any, kS7, none, octets,
       "A sender sends all instructions of a chain on one session.",
       "Chains are numbered within a session, so a number in another session is another chain"},
      {"UMSP-7-2", must, any, kS7, stimulus, octets,
       "A node supports several chains of a session at the same time.", {}, {{one_chain_at_a_time, executor}}},
      {"UMSP-7-3", must, any, kS7, none, octets,
       "A chain is a sequence, a transaction or a fragmented instruction.",
       "Its first instruction shows which one it is: UMSP-7-12 and -13"},
      {"UMSP-7-4", should, any, kS7, none, octets,
       "An instruction of a chain has CHN 1.",
       "With CHN 0, an instruction is in no chain; UMSP-7-20, 7.1-9, 7.2.1-1 and 7.3-5 judge headers that show that it "
       "should be"},
      {"UMSP-7-5", must, any, kS7, none, octets,
       "CHAIN_NUMBER is the number of the chain.", "The octets do not show which chain the sender means"},
      {"UMSP-7-6", must, any, kS7, trace, order,
       "INSTR_NUMBER counts the instructions of a chain from 0.",
       "UMSP/A8, UMSP/B31, UMSP/B45: a warning if a missing number may be on another connection",
       {{same_number, initiator}}},
      {"UMSP-7-7", must, any, kS7, api, octets,
       "The protocol layer numbers the chains.", "What is above or below the protocol layer is not on the wire"},
      {"UMSP-7-8", must_not, any, kS7, trace, absence,
       "A sender does not use the number of an unfinished chain for another chain of the session in the same "
       "direction.", "UMSP/B31: a warning if the chain may have ended on another connection",
       {{same_number, initiator, warning}}},
      {"UMSP-7-9", must, any, kS7, none, octets,
       "A session has at most 65533 chains at the same time.",
       "UMSP/A40; all of the 65534 numbers would have to be in use at once"},
      {"UMSP-7-10", must_not, any, kS7, none, octets,
       "A sender does not give a chain the number 0 or 65535.", "UMSP-3.1 judges the field of every instruction"},
      {"UMSP-7-11", must, any, kS7, none, octets,
       "A chain has at most 65535 instructions.", "INSTR_NUMBER cannot count further: 3.1 judges the reserved 65535"},
      {"UMSP-7-12", should, any, kS7, trace, octets,
       "The instruction with INSTR_NUMBER 0 has the extension header that begins the chain, except SND_CANCEL, EXEC_TR "
       "and CANCEL_TR.", "UMSP/B19"},
      {"UMSP-7-13", must, any, kS7, trace, octets,
       "An instruction has at most one header that begins a chain: _BEGIN_SQ, _BEGIN_TR or _BEGIN_FRG."},
      {"UMSP-7-14", must_not, any, kS7, trace, octets,
       "A sender does not put a header that begins a chain into an instruction whose INSTR_NUMBER is not 0."},
      {"UMSP-7-15", must, any, kS7, stimulus, octets,
       "The last instruction of a chain has _END_CHAIN.",
       "UMSP/B62: a chain without its end may continue after a capture; a warning if its sender ends the session",
       {{end_not_marked, initiator}}},
      {"UMSP-7-16", must_not, any, kS7, trace, absence,
       "A sender sends no instruction of a chain after its _END_CHAIN, except EXEC_TR and CANCEL_TR.",
       "UMSP/B31, UMSP/B45: a warning if another chain may have begun on another connection",
       {{same_number, initiator, warning}}},
      {"UMSP-7-17", must, any, kS7, none, octets,
       "_END_CHAIN has HEAD_CODE 6.", "Another code is another header"},
      {"UMSP-7-18", must, any, kS7, trace, octets,
       "_END_CHAIN has no DATA."},
      {"UMSP-7-19", must, any, kS7, trace, octets,
       "_END_CHAIN has HOB 1."},
      {"UMSP-7-20", must, any, kS7, trace, octets,
       "The instruction with _END_CHAIN has a CHAIN_NUMBER, so CHN is 1."},
      {"UMSP-7-21", must, any, kS7, trace, octets,
       "A sender uses UDP for a chain only if the whole chain is in one datagram."},
      {"UMSP-7.1-1", must, executor, kS7_1, stimulus, octets,
       "A receiver executes an instruction of a sequence only after it has executed the previous one.", {},
       {{disorder_executed, executor}, {one_of_datagram, executor}}},
      {"UMSP-7.1-2", must, executor, kS7_1, stimulus, octets,
       "If a receiver cannot execute an instruction of a sequence, it drops the rest of the sequence.", {},
       {{rest_executed, executor}}},
      {"UMSP-7.1-3", must, initiator, kS7_1, stimulus, octets,
       "If a sequence fails, the sender cancels the instructions that it has not sent yet.", {},
       {{rest_sent, initiator}}},
      {"UMSP-7.1-4", may, initiator, kS7_1, none, octets,
       "The sender may send the next instruction of a sequence before it has the answer to the previous one.",
       "A permission"},
      {"UMSP-7.1-5", must, any, kS7_1, none, octets,
       "The first instruction of a sequence has _BEGIN_SQ.", "UMSP-7-12 and -14"},
      {"UMSP-7.1-6", must, any, kS7_1, none, octets,
       "_BEGIN_SQ has HEAD_CODE 3.", "Another code is another header"},
      {"UMSP-7.1-7", must, any, kS7_1, trace, octets,
       "_BEGIN_SQ has no DATA."},
      {"UMSP-7.1-8", must, any, kS7_1, trace, octets,
       "_BEGIN_SQ has HOB 1."},
      {"UMSP-7.1-9", must, any, kS7_1, trace, octets,
       "The instruction with _BEGIN_SQ has a CHAIN_NUMBER, so CHN is 1."},
      {"UMSP-7.1-10", must, any, kS7_1, none, octets,
       "The instruction with _BEGIN_SQ has INSTR_NUMBER 0.", "UMSP-7-14"},
      {"UMSP-7.1-11", must, any, kS7_1, api, octets,
       "The VM begins a sequence.", "What is above or below the protocol layer is not on the wire"},
      {"UMSP-7.1-12", must, any, kS7_1, stimulus, octets,
       "A receiver accepts a sequence of any length that ends at any moment.", {}, {{long_sequence_refused, executor}}},
      {"UMSP-7.1-13", must, any, kS7_1, stimulus, octets,
       "A receiver accepts NOP with _END_CHAIN as the end of a sequence.", {}, {{nop_does_not_end, executor}}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ChainsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ChainsRules, I> {
};
