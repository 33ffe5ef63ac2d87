// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/chain_facts.h"

namespace wirelaw::umsp {

SectionTables base_tables();
// Checks the instructions that set or use the base of the chain.
void check_base(Judge& judge, const Seen& seen, const BaseFact& fact);

}  // namespace wirelaw::umsp
