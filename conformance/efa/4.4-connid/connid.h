// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/trace_state.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

// Returns false if a connid that the flags do not announce precedes the payload, which is then not judged.
bool judge_connid(Judge& judge, const SeenPacket& seen, TraceState& state);
void judge_connid_of_address(Judge& judge, const SeenPacket& seen, TraceState& state);
void judge_connid_unannounced(Judge& judge, const SeenPacket& seen, OctetRange where);
void judge_connid_whole(Judge& judge, const DecodeError& error);

}  // namespace wirelaw::efa
