// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Checks a HANDSHAKE by the document that its sender follows.
void check_later_handshake(Judge& judge, const SeenPacket& seen, Revisions document);
// Checks a REQ packet at the default queue pair.
void check_queue_pair(Judge& judge, const SeenPacket& seen, const QueuePairFact& fact);

}  // namespace wirelaw::efa
