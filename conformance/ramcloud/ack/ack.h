// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

// Checks an ACK that the capture holds completely.
void check_ack_payload(Judge& judge, const PacketFacts& facts);
void check_ack_subject(Judge& judge, const PacketFacts& facts, const AckSubjectFact& fact);
void check_ack(Judge& judge, const PacketFacts& facts, const AckFact& fact);

}  // namespace wirelaw::ramcloud
