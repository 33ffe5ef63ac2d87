// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Returns false if the fields are not in their places. Then nothing is read from them.
bool judge_handshake_format(Judge& judge, const SeenPacket& seen, const SenderFact& sender);
void judge_handshake_flags(Judge& judge, const SeenPacket& seen, Revisions document);
void judge_handshake_whole(Judge& judge, const DecodeError& error, Revisions document);

}  // namespace wirelaw::efa
