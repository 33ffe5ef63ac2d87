// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/chain_facts.h"

namespace wirelaw::umsp {

SectionTables transaction_tables();
// Checks that EXEC_TR or CANCEL_TR names such a transaction.
void check_chain_control(Judge& judge, const Seen& seen, const ControlFact& fact);

}  // namespace wirelaw::umsp
