// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void judge_request_flags(Judge& judge, const SeenPacket& seen);
// Returns false if the optional headers are not in their places. Then nothing after the mandatory header is judged.
bool judge_request(Judge& judge, const SeenPacket& seen, const SenderFact& sender);
void judge_request_payload(Judge& judge, const SeenPacket& seen);
void judge_request_whole(Judge& judge, const Message& message, const DecodeError& error, const SenderFact& sender);

}  // namespace wirelaw::efa
