// SPDX-License-Identifier: Apache-2.0
// The judge as oracle: a finding about an honest endpoint is printed and ends the process.
#pragma once

#include "conformance/protocol.h"
#include "conformance/trace.h"
#include "conformance/verdict.h"

namespace wirelaw::fuzz {

[[noreturn]] void report(const Finding& finding);

// True if the conversation should be printed: WIRELAW_FUZZ_TRACE is in the environment.
bool tracing();
void print(const Protocol& protocol, const Message& message);
void print(const StreamPiece& piece);

}  // namespace wirelaw::fuzz
