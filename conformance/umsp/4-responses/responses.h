// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/facts.h"

namespace wirelaw::umsp {

SectionTables response_tables();
void check_answered(Judge& judge, const SeenInstruction& seen, const AnsweredFact& fact);

}  // namespace wirelaw::umsp
