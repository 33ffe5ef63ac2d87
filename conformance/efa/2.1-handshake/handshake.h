// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Checks the first HANDSHAKE of a side.
void check_handshake(Judge& judge, const Message& message, const HandshakeFact& fact);
// Warns about HANDSHAKEs after the first, if nothing shows that the two have met again (EFA/A-87).
void advise_one_handshake(Judge& judge, std::span<const HandshakeAgainFact> handshakes);
// Checks, at the end of the flow, a side that has sent none.
void check_missing_handshake(Judge& judge, Side side, const MissingHandshakeFact& fact);

}  // namespace wirelaw::efa
