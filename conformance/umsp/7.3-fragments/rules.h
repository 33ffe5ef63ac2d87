// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct FragmentsRules : Words {
  static constexpr std::string_view kS7_3 = "RFC 3018 7.3";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-7.3-1", must, any, kS7_3, none, octets,
       "An instruction that is longer than the transport's segment, or does not fit the rest of one, may be "
       "fragmented; no other is.", "how long the transport's segments may be is not in the instructions"},
      {"UMSP-7.3-2", must, any, kS7_3, api, octets,
       "The UMSP layer decides about fragments.", "what is above or below the protocol layer is not on the wire"},
      {"UMSP-7.3-3", must, any, kS7_3, none, octets,
       "Fragments are the operands of NOP instructions.", "UMSP-7.3-4 and -15"},
      {"UMSP-7.3-4", must, any, kS7_3, trace, absence,
       "The instructions of a fragmented instruction's chain are NOPs."},
      {"UMSP-7.3-5", must, any, kS7_3, trace, octets,
       "_BEGIN_FRG is in an instruction of a chain: CHN is 1."},
      {"UMSP-7.3-6", must, any, kS7_3, none, octets,
       "The first NOP has the SESSION_ID of the fragmented instruction.", "which session was meant cannot be seen"},
      {"UMSP-7.3-7", must, any, kS7_3, trace, octets,
       "The first NOP has the REQ_ID of the fragmented instruction, if that has one.", "UMSP/A17"},
      {"UMSP-7.3-8", must, any, kS7_3, trace, octets,
       "The first NOP has no REQ_ID if the fragmented instruction has none.",
       "UMSP/A17; a warning: for a chain in the session window the layer sets a REQ_ID of its own (7.5)"},
      {"UMSP-7.3-9", must, any, kS7_3, none, octets,
       "A fragmented instruction belongs to a session: its NOPs do not have PCK 00.", "PCK 00 in a chain: UMSP-3.1-15"},
      {"UMSP-7.3-10", must, any, kS7_3, trace, octets,
       "SESSION_ID and REQ_ID are taken out of the fragmented instruction.", "UMSP/A17"},
      {"UMSP-7.3-11", must, any, kS7_3, none, octets,
       "All other header fields of the fragmented instruction stay as they were, flags included.",
       "what they were before is not on the wire"},
      {"UMSP-7.3-12", must, any, kS7_3, trace, order,
       "The fragments make up the whole instruction."},
      {"UMSP-7.3-13", must_not, any, kS7_3, trace, octets,
       "Operands of those NOPs hold nothing but fragments, and what pads the last one.", "UMSP/A17"},
      {"UMSP-7.3-14", must, any, kS7_3, stimulus, octets,
       "The receiver puts the fragments together and executes the instruction as if it had come whole.", {},
       {{fragments_damaged, executor}}},
      {"UMSP-7.3-15", must, any, kS7_3, trace, octets,
       "_BEGIN_FRG is in the NOP with the first fragment."},
      {"UMSP-7.3-16", must, any, kS7_3, none, octets,
       "_BEGIN_FRG has HEAD_CODE 5.", "another code is another header"},
      {"UMSP-7.3-17", must, any, kS7_3, trace, octets,
       "_BEGIN_FRG has no DATA, or two words of it where there is a parental chain."},
      {"UMSP-7.3-18", must, any, kS7_3, trace, octets,
       "_BEGIN_FRG has HOB 1."},
      {"UMSP-7.3-19", must, any, kS7_3, trace, absence,
       "The parental chain that _BEGIN_FRG names is a sequence or transaction that is being sent, with a number that a "
       "chain can have.", "UMSP/B45: a warning if the chain is nowhere, as it may follow"},
      {"UMSP-7.3-20", must, any, kS7_3, trace, octets,
       "The number in the parental chain that _BEGIN_FRG names is one that an instruction can have, not 65535, and "
       "that no earlier instruction of the chain has."},
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
