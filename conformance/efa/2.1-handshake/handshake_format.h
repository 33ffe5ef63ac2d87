// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Returns false if the fields are not in their places. Then nothing is read from them.
bool judge_handshake_format(Judge& judge, const SeenPacket& seen, const TraceState& state);
void judge_handshake_flags(Judge& judge, const SeenPacket& seen, const Document& document);
void judge_handshake_whole(Judge& judge, const DecodeError& error, const Document& document);

}  // namespace wirelaw::efa
