// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

SectionTables session_tables();
// Of instructions of the handshake: that it is their turn, and that they keep what stays. Gives whether they do.
bool judge_handshake(Judge& judge, const Seen& seen, const ObservedSession& session);
// Of an instruction on a session: that its sender has not left it for another one of the same job.
// An acceptance over a connection that has not brought the session to where it is.
void judge_accepted_elsewhere(Judge& judge, const Seen& seen, const ObservedSession& session);
void judge_replaced(Judge& judge, const Seen& seen, const ObservedSession& session);
// Of an instruction on a session: that the session is open.
void judge_open(Judge& judge, const Seen& seen, const ObservedSession& session);
// Of the identifier that the instruction gives to a session: that the sender has given it to no other one.
void judge_own_identifier(Judge& judge, const Seen& seen);
// At SESSION_REJECT, `unused`; and at what its sender sends on the session later.
void judge_after_reject(Judge& judge, const Seen& seen, bool unused);
// The rule of an instruction's SESSION_ID: its section's, or that of 3.1; nullptr if another one has judged it.
const Rule* names_session_rule(const Seen& seen);

}  // namespace wirelaw::umsp
