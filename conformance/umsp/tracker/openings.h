// SPDX-License-Identifier: Apache-2.0
// Compares the steps that open a session with the steps before them (RFC 3018 5.3).
#pragma once

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// Compares a step with the order of the handshake, and with the values that do not change during it. Returns false if
// it breaks the handshake.
bool compare_step(const Seen& seen, FactSink& facts, const ObservedSession& session);
// Same for an acceptance on a connection that did not carry the handshake so far.
void compare_acceptance_elsewhere(const Seen& seen, FactSink& facts, const ObservedSession& session);
// A first SESSION_OPEN repeats the identifier, the job and the task of a handshake that waits for its sender.
void compare_beginning(const Seen& seen, FactSink& facts);
// The identifier that the sender assigns in the instruction may be that of another session.
void compare_new_id(const Seen& seen, FactSink& facts);

}  // namespace wirelaw::umsp
