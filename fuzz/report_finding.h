// SPDX-License-Identifier: Apache-2.0
// The judge as oracle: a finding about an honest endpoint ends the process and says what was found.
#pragma once

#include "conformance/protocol.h"
#include "conformance/trace.h"
#include "conformance/verdict.h"

namespace wirelaw::fuzz {

[[noreturn]] void report(const Finding& finding);

// Whoever reads a reproducer wants to see the conversation: WIRELAW_FUZZ_TRACE in the environment.
bool tracing();
void print(const Protocol& protocol, const Message& message);
void print(const StreamPiece& piece);

}  // namespace wirelaw::fuzz
