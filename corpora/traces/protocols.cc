// SPDX-License-Identifier: Apache-2.0
// The sample traces of every row of conformance/protocols.inc. Nothing else is defined here: a program that lists
// rows of its own (cmake/Protocols.cmake) has this unit compiled for those, and the library's is left out.
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
