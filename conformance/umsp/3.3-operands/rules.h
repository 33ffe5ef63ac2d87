// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/sheet.h"

namespace wirelaw::umsp {

struct OperandsRules : Words {
  static constexpr std::string_view kSection = "RFC 3018 3.3";
  static constexpr std::string_view kEachInstruction = "each instruction's section says what its operands are";

  // clang-format off
  static constexpr Rule kRules[] = {
      {"UMSP-3.3-1", must, any, kSection, none, octets,
       "Operands have as many words as OPR_LENGTH or OPR_LENGTH_EXT says.", kEachInstruction},
      {"UMSP-3.3-2", must, any, kSection, none, octets,
       "Operands have a multiple of four octets.", "their length counts words"},
      {"UMSP-3.3-3", must, any, kSection, trace, octets,
       "Octets that pad operands are zero."},
      {"UMSP-3.3-4", must, any, kSection, none, octets,
       "Operands are padded at the end, by 3 octets at most.", kEachInstruction},
      {"UMSP-3.3-5", must, any, kSection, none, octets,
       "Operands have 262140 octets at most.", "UMSP/A6; OPR_LENGTH_EXT counts no more"},
      {"UMSP-3.3-6", must, any, kSection, none, octets,
       "Data that operands cannot hold go in an extension header.", "operands cannot be longer: UMSP-3.3-5"},
      {"UMSP-3.3-7", must, any, kSection, none, octets,
       "Operands are as the section of their instruction defines.", kEachInstruction},
      {"UMSP-3.3-8", must, any, kSection, stimulus, octets,
       "An instruction whose operands are too short for its format is not executed.", {},
       {{short_operands_filled, executor}}},
      {"UMSP-3.3-9", must, any, kSection, stimulus, octets,
       "Operands that make no sense cost the receiver no instruction behind them.", "UMSP/B26",
       {{nonsense_ends_connection, executor}}},
  };
  // clang-format on
};

}  // namespace wirelaw::umsp

template <wirelaw::RuleId I>
requires wirelaw::ListedIn<wirelaw::umsp::OperandsRules, I>
struct wirelaw::RuleOf<I> : wirelaw::RuleIn<wirelaw::umsp::OperandsRules, I> {
};
