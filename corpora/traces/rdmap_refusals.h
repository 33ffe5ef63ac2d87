// SPDX-License-Identifier: Apache-2.0
// Connections of the samples that end with a Terminate: what b refuses, and how.
#pragma once

#include "corpora/traces/rdmap_builder.h"

namespace wirelaw::corpora {

inline void end(RdmapTraceBuilder& s) {
  s.close(Side::b);
  s.close(Side::a);
}

// A Terminate for the segment that came last, and the end of the connection.
template <class Edit>
void refuse(RdmapTraceBuilder& s, const rdmap::ErrorCode& error, Edit edit) {
  rdmap::Terminate terminate = s.blame_last(error);
  edit(terminate);
  s.terminate(Side::b, terminate);
  end(s);
}
inline void refuse(RdmapTraceBuilder& s, const rdmap::ErrorCode& error) {
  refuse(s, error, [](rdmap::Terminate&) {});
}

// A bare Terminate: type and code alone.
inline void bare(RdmapTraceBuilder& s, const rdmap::ErrorCode& error) {
  s.terminate(Side::b, {.error = error});
  end(s);
}

// --- connections as they are before a Terminate: what its segment is

inline void send(RdmapTraceBuilder& s) {
  s.start();
  s.send(Side::a, pattern(64));
}
inline void write(RdmapTraceBuilder& s) {
  s.start();
  s.write(Side::a, pattern(64));
}
inline void read(RdmapTraceBuilder& s, const rdmap::ReadRequest& request = RdmapTraceBuilder::kRead) {
  s.start();
  s.read_request(Side::a, request);
}
inline void send_invalidate(RdmapTraceBuilder& s) {
  s.start();
  s.send(Side::a, pattern(64), rdmap::Opcode::send_invalidate, RdmapTraceBuilder::kStag);
}

}  // namespace wirelaw::corpora
