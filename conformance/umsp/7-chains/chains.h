// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/facts.h"

namespace wirelaw::umsp {

SectionTables chain_tables();
// Checks the octets of an instruction of a chain.
void check_link(Judge& judge, const SeenInstruction& seen, const LinkFact& link);

}  // namespace wirelaw::umsp
