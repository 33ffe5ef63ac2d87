// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/claim_rows.h"
#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_peer_error(Judge& judge, const SeenPacket& seen, const PeerErrorFact& fact);
void check_given_up(Judge& judge, const SeenPacket& seen, const GivenUpFact& fact);
extern const ClaimRow kPeerErrorClaims[1];

}  // namespace wirelaw::efa
