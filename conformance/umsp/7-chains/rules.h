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
       "The instructions of a chain are sent on one session.",
       "chains are numbered within a session: another session's is another chain"},
      {"UMSP-7-2", must, any, kS7, stimulus, octets,
       "A session carries several chains at the same time.", {}, {{one_chain_at_a_time, executor}}},
      {"UMSP-7-3", must, any, kS7, none, octets,
       "A chain is a sequence, a transaction or a fragmented instruction.",
       "which one it is says its first instruction: UMSP-7-12 and -13"},
      {"UMSP-7-4", should, any, kS7, none, octets,
       "An instruction of a chain has CHN 1.",
       "with CHN 0 an instruction is in no chain; where a header shows that it should be, UMSP-7-20, 7.1-9, 7.2.1-1 "
       "and 7.3-5"},
      {"UMSP-7-5", must, any, kS7, none, octets,
       "CHAIN_NUMBER is the number of the chain.", "which chain was meant cannot be seen"},
      {"UMSP-7-6", must, any, kS7, trace, order,
       "INSTR_NUMBER counts the instructions of a chain from 0.",
       "UMSP/A8, UMSP/B31, UMSP/B45: a warning if a number that is left out could be on another connection",
       {{same_number, initiator}}},
      {"UMSP-7-7", must, any, kS7, api, octets,
       "Chains are numbered by the protocol layer.", "what is above or below the protocol layer is not on the wire"},
      {"UMSP-7-8", must_not, any, kS7, trace, absence,
       "A number of a chain that is not finished is not used for another chain of the session in the same direction.",
       "UMSP/B31: a warning where it could have ended on another connection", {{same_number, initiator, warning}}},
      {"UMSP-7-9", must, any, kS7, none, octets,
       "A session has no more than 65533 chains at a time.",
       "UMSP/A40; all of the 65534 numbers would have to be in use at once"},
      {"UMSP-7-10", must_not, any, kS7, none, octets,
       "Chains do not have the numbers 0 and 65535.", "UMSP-3.1 judges the field of every instruction"},
      {"UMSP-7-11", must, any, kS7, none, octets,
       "A chain has no more than 65535 instructions.",
       "INSTR_NUMBER cannot count further: the reserved 65535 is judged in 3.1"},
      {"UMSP-7-12", should, any, kS7, trace, octets,
       "The instruction with INSTR_NUMBER 0 has the extension header that begins the chain, save SND_CANCEL, EXEC_TR "
       "and CANCEL_TR.", "UMSP/B19"},
      {"UMSP-7-13", must, any, kS7, trace, octets,
       "An instruction has no more than one header that begins a chain: _BEGIN_SQ, _BEGIN_TR or _BEGIN_FRG."},
      {"UMSP-7-14", must_not, any, kS7, trace, octets,
       "A header that begins a chain is not in an instruction with another INSTR_NUMBER than 0."},
      {"UMSP-7-15", must, any, kS7, stimulus, octets,
       "The last instruction of a chain has _END_CHAIN.",
       "a chain without its end goes on, for all that a capture shows", {{end_not_marked, initiator}}},
      {"UMSP-7-16", must_not, any, kS7, trace, absence,
       "After _END_CHAIN no instruction belongs to that chain, save EXEC_TR and CANCEL_TR.",
       "UMSP/B31, UMSP/B45: a warning if another chain could have begun on another connection",
       {{same_number, initiator, warning}}},
      {"UMSP-7-17", must, any, kS7, none, octets,
       "_END_CHAIN has HEAD_CODE 6.", "another code is another header"},
      {"UMSP-7-18", must, any, kS7, trace, octets,
       "_END_CHAIN has no DATA."},
      {"UMSP-7-19", must, any, kS7, trace, octets,
       "_END_CHAIN has HOB 1."},
      {"UMSP-7-20", must, any, kS7, trace, octets,
       "_END_CHAIN is in an instruction with CHAIN_NUMBER: CHN is 1."},
      {"UMSP-7-21", must, any, kS7, trace, octets,
       "A chain goes over UDP only if all of it is in one datagram."},
      {"UMSP-7.1-1", must, executor, kS7_1, stimulus, octets,
       "An instruction of a sequence is executed only after the one before it was.", {},
       {{disorder_executed, executor}, {one_of_datagram, executor}}},
      {"UMSP-7.1-2", must, executor, kS7_1, stimulus, octets,
       "If an instruction of a sequence cannot be executed, the rest of the sequence is dropped.", {},
       {{rest_executed, executor}}},
      {"UMSP-7.1-3", must, initiator, kS7_1, stimulus, octets,
       "The sender cancels what it has not sent of a sequence that failed.", {}, {{rest_sent, initiator}}},
      {"UMSP-7.1-4", may, initiator, kS7_1, none, octets,
       "The sender need not wait for the answer to one instruction of a sequence before it sends the next.",
       "a permission"},
      {"UMSP-7.1-5", must, any, kS7_1, none, octets,
       "_BEGIN_SQ is in the first instruction of a sequence.", "UMSP-7-12 and -14"},
      {"UMSP-7.1-6", must, any, kS7_1, none, octets,
       "_BEGIN_SQ has HEAD_CODE 3.", "another code is another header"},
      {"UMSP-7.1-7", must, any, kS7_1, trace, octets,
       "_BEGIN_SQ has no DATA."},
      {"UMSP-7.1-8", must, any, kS7_1, trace, octets,
       "_BEGIN_SQ has HOB 1."},
      {"UMSP-7.1-9", must, any, kS7_1, trace, octets,
       "_BEGIN_SQ is in an instruction with CHAIN_NUMBER: CHN is 1."},
      {"UMSP-7.1-10", must, any, kS7_1, none, octets,
       "The instruction with _BEGIN_SQ has INSTR_NUMBER 0.", "UMSP-7-14"},
      {"UMSP-7.1-11", must, any, kS7_1, api, octets,
       "A sequence is begun by the VM.", "what is above or below the protocol layer is not on the wire"},
      {"UMSP-7.1-12", must, any, kS7_1, stimulus, octets,
       "A receiver takes a sequence of any length and end.", {}, {{long_sequence_refused, executor}}},
      {"UMSP-7.1-13", must, any, kS7_1, stimulus, octets,
       "NOP with _END_CHAIN ends a sequence.", {}, {{nop_does_not_end, executor}}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::ChainsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::ChainsRules, I> {
};
