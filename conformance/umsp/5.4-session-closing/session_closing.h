// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables closing_tables();
// Gives whether the instruction does to the session what it says.
bool judge_closing(Judge& judge, const Seen& seen, const ObservedSession& session);
// At SESSION_ABEND, `nothing`; and at what its sender sends on the session later.
void judge_after_abend(Judge& judge, const Seen& seen, bool nothing);
const Rule* names_closing_rule(Opcode opcode);
// At the end of the flow, of a session whose closing was accepted.
void judge_abend_came(Judge& judge, const Connection& connection, const ObservedSession& session);

}  // namespace wirelaw::umsp
