// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct OperandsRules : Words {
  static constexpr std::string_view kSection = "RFC 3018 3.3";
  static constexpr std::string_view kEachInstruction = "The section of each instruction defines its operands";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-3.3-1", must, any, kSection, none, octets,
       "The length of the operands is the number of words in OPR_LENGTH or OPR_LENGTH_EXT.", kEachInstruction},
      {"UMSP-3.3-2", must, any, kSection, none, octets,
       "The length of the operands is a multiple of four octets.", "The length fields count words"},
      {"UMSP-3.3-3", must, any, kSection, trace, octets,
       "A sender sets the octets that pad operands to zero."},
      {"UMSP-3.3-4", must, any, kSection, none, octets,
       "A sender pads operands at the end, by at most 3 octets.", kEachInstruction},
      {"UMSP-3.3-5", must, any, kSection, none, octets,
       "Operands have at most 262140 octets.", "UMSP/A6; OPR_LENGTH_EXT cannot count more"},
      {"UMSP-3.3-6", must, any, kSection, none, octets,
       "A sender puts data that is too long for operands into an extension header.",
       "Operands cannot be longer: UMSP-3.3-5"},
      {"UMSP-3.3-7", must, any, kSection, none, octets,
       "Operands have the format that the section of their instruction defines.", kEachInstruction},
      {"UMSP-3.3-8", must, any, kSection, stimulus, octets,
       "A receiver does not execute an instruction whose operands are too short for its format.", {},
       {{short_operands_filled, executor}}},
      {"UMSP-3.3-9", must, any, kSection, stimulus, octets,
       "A receiver executes the instructions that follow one with meaningless operands.", "UMSP/B26",
       {{nonsense_ends_connection, executor}}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::OperandsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::OperandsRules, I> {
};
