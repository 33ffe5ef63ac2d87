// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables session_tables();
// Judges the order of the handshake, and the values that do not change during it. Returns true if both are right.
bool judge_handshake(Judge& judge, const Seen& seen, const ObservedSession& session);
// Judges an acceptance on a connection that did not carry the handshake so far.
void judge_accepted_elsewhere(Judge& judge, const Seen& seen, const ObservedSession& session);
// Judges that the sender of an instruction on a session has not replaced the session by another one of the same job.
void judge_replaced(Judge& judge, const Seen& seen, const ObservedSession& session);
// Judges that the session of an instruction is open.
void judge_open(Judge& judge, const Seen& seen, const ObservedSession& session);
// Judges that the sender has not assigned the identifier in the instruction to another session.
void judge_own_identifier(Judge& judge, const Seen& seen);
// Called for SESSION_REJECT with `unused` true, and for later instructions of its sender on the session.
void judge_after_reject(Judge& judge, const Seen& seen, bool unused);
// The rule for the SESSION_ID of an instruction: that of its section, or that of 3.1; nullptr if another rule has
// judged it.
const Rule* names_session_rule(const Seen& seen);

}  // namespace wirelaw::umsp
