// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/facts.h"

namespace wirelaw::umsp {

SectionTables session_tables();
// Checks that a later SESSION_OPEN has the GJID of its session.
void check_session_gjid(Judge& judge, const SeenInstruction& seen, const SessionGjidFact& fact);

}  // namespace wirelaw::umsp
