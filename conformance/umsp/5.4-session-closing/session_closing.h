// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables closing_tables();
// Returns true if the instruction has its usual effect on the session.
bool judge_closing(Judge& judge, const Seen& seen, const ObservedSession& session);
// Called for SESSION_ABEND with `nothing` true, and for later instructions of its sender on the session.
void judge_after_abend(Judge& judge, const Seen& seen, bool nothing);
// Called for instructions of the other side on the session. That side may not know yet that it has ended.
void judge_after_others_abend(Judge& judge, const Seen& seen, const ObservedSession& session);
const Rule* names_closing_rule(Opcode opcode);
// Called when the flow ends, for a session whose closing was accepted.
void judge_abend_came(Judge& judge, const Connection& connection, const ObservedSession& session);

}  // namespace wirelaw::umsp
