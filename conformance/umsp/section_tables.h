// SPDX-License-Identifier: Apache-2.0
// Tables of the sections, which the checks of many instructions use: each instruction, extension header, request and
// response has its rules there.
#pragma once

#include <span>

#include "conformance/umsp/6-exchange/exchange_answers.h"
#include "conformance/umsp/claim_rows.h"
#include "conformance/umsp/instruction_rules.h"

namespace wirelaw::umsp {

struct SectionTables {
  std::span<const InstructionRules> instructions = {};
  std::span<const ExtensionRules> extensions = {};
  std::span<const ClaimRow> claims = {};
  std::span<const ExchangeAnswerRules> answers = {};
  std::span<const ExchangeResponseRules> responses = {};
};
// The tables of all sections that have any, in the order of the document.
std::span<const SectionTables> section_tables();

}  // namespace wirelaw::umsp
