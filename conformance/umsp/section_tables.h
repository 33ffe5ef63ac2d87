// SPDX-License-Identifier: Apache-2.0
// What the checks for many instructions judge by: the tables of the sections, in which each instruction, extension
// header, request and response has its rules.
#pragma once

#include <span>

#include "conformance/umsp/6-exchange/exchange_answers.h"
#include "conformance/umsp/instruction_rules.h"

namespace wirelaw::umsp {

struct SectionTables {
  std::span<const InstructionRules> instructions = {};
  std::span<const ExtensionRules> extensions = {};
  std::span<const ExchangeAnswerRules> answers = {};
  std::span<const ExchangeResponseRules> responses = {};
};
// Those of all sections that have any, in the order of the document.
std::span<const SectionTables> section_tables();

}  // namespace wirelaw::umsp
