// SPDX-License-Identifier: Apache-2.0
// The sample traces of all rows in conformance/protocols.inc, and nothing else. A program with its own rows
// (cmake/Protocols.cmake) compiles this file for them instead of using the library's version.
#include "corpora/traces/trace.h"

#ifndef WIRELAW_PROTOCOLS
#define WIRELAW_PROTOCOLS "conformance/protocols.inc"
#endif

namespace wirelaw::corpora {

#define WIRELAW_PROTOCOL(name) TraceSet name##_traces();
#include WIRELAW_PROTOCOLS
#undef WIRELAW_PROTOCOL

std::vector<TraceSet> all_trace_sets() {
#define WIRELAW_PROTOCOL(name) name##_traces(),
  return {
#include WIRELAW_PROTOCOLS
  };
#undef WIRELAW_PROTOCOL
}

}  // namespace wirelaw::corpora
