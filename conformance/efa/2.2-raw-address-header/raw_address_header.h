// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_address_header(Judge& judge, const SeenPacket& seen, const AddressHeaderFact& fact);
// Checks a raw address that came back after it had been left out, if nothing shows that the two have met again
// (EFA/A-87).
void check_address_again(Judge& judge, const AddressHeaderFact& fact);
// Checks the packets that `side` sent before the other side's HANDSHAKE.
void check_first_requests(Judge& judge, Side side, const FirstRequestsFact& fact);

}  // namespace wirelaw::efa
