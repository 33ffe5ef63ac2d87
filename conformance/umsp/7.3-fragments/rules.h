// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct FragmentsRules : Words {
  static constexpr std::string_view kS7_3 = "RFC 3018 7.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-7.3-1", must, any, kS7_3, none, octets,
       "A sender fragments only an instruction that is longer than a transport segment or than the rest of one.",
       "The instructions do not show how long the segments of the transport may be"},
      {"UMSP-7.3-2", must, any, kS7_3, api, octets,
       "The UMSP layer decides on fragmentation.", "What is above or below the protocol layer is not on the wire"},
      {"UMSP-7.3-3", must, any, kS7_3, none, octets,
       "A sender puts fragments into the operands of NOP instructions.", "UMSP-7.3-4 and -15"},
      {"UMSP-7.3-4", must, any, kS7_3, trace, absence,
       "All instructions in the chain of a fragmented instruction are NOPs."},
      {"UMSP-7.3-5", must, any, kS7_3, trace, octets,
       "The instruction with _BEGIN_FRG is part of a chain, so CHN is 1."},
      {"UMSP-7.3-6", must, any, kS7_3, none, octets,
       "The first NOP has the SESSION_ID of the fragmented instruction.",
       "The octets do not show which session the sender means"},
      {"UMSP-7.3-7", must, any, kS7_3, trace, octets,
       "The first NOP has the REQ_ID of the fragmented instruction, if the instruction has one.", "UMSP/A17"},
      {"UMSP-7.3-8", must, any, kS7_3, trace, octets,
       "The first NOP has no REQ_ID if the fragmented instruction has none.",
       "UMSP/A17; a warning: the layer gives a chain in the session window a REQ_ID of its own (7.5)"},
      {"UMSP-7.3-9", must, any, kS7_3, none, octets,
       "A fragmented instruction belongs to a session, so its NOPs do not have PCK 00.",
       "UMSP-3.1-15 judges PCK 00 in a chain"},
      {"UMSP-7.3-10", must, any, kS7_3, trace, octets,
       "A sender removes SESSION_ID and REQ_ID from the fragmented instruction.", "UMSP/A17"},
      {"UMSP-7.3-11", must, any, kS7_3, none, octets,
       "A sender does not change any other header field of the fragmented instruction, including the flags.",
       "Their earlier values are not on the wire"},
      {"UMSP-7.3-12", must, any, kS7_3, trace, order,
       "The fragments together are the whole instruction."},
      {"UMSP-7.3-13", must_not, any, kS7_3, trace, octets,
       "A sender puts nothing into the operands of a fragmented instruction's NOPs except fragments and the padding of "
       "the last one.", "UMSP/A17"},
      {"UMSP-7.3-14", must, any, kS7_3, stimulus, octets,
       "The receiver reassembles the fragments and executes the instruction as if it had arrived whole.", {},
       {{fragments_damaged, executor}}},
      {"UMSP-7.3-15", must, any, kS7_3, trace, octets,
       "The NOP with the first fragment has _BEGIN_FRG."},
      {"UMSP-7.3-16", must, any, kS7_3, none, octets,
       "_BEGIN_FRG has HEAD_CODE 5.", "Another code is another header"},
      {"UMSP-7.3-17", must, any, kS7_3, trace, octets,
       "_BEGIN_FRG has no DATA, or two words of DATA if there is a parental chain."},
      {"UMSP-7.3-18", must, any, kS7_3, trace, octets,
       "_BEGIN_FRG has HOB 1."},
      {"UMSP-7.3-19", must, any, kS7_3, trace, absence,
       "_BEGIN_FRG names a parental chain that is a sequence or transaction being sent, by a number that a chain can "
       "have.", "UMSP/B45: a warning if no such chain is seen and it may follow"},
      {"UMSP-7.3-20", must, any, kS7_3, trace, octets,
       "The instruction number in _BEGIN_FRG is valid (not 65535), and no earlier instruction of the parental chain "
       "has it."},
      {"UMSP-7.3-21", must, any, kS7_3, trace, octets,
       "The NOP with the last fragment has _END_CHAIN."},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::FragmentsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::FragmentsRules, I> {
};
