// SPDX-License-Identifier: Apache-2.0
// Connections of the samples that end with a Terminate from b.
#pragma once

#include "corpora/traces/rdmap_builder.h"

namespace wirelaw::corpora {

inline void end(RdmapTraceBuilder& s) {
  s.close(Side::b);
  s.close(Side::a);
}

// Sends a Terminate for the last segment, and ends the connection.
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

// A Terminate with type and code only.
inline void bare(RdmapTraceBuilder& s, const rdmap::ErrorCode& error) {
  s.terminate(Side::b, {.error = error});
  end(s);
}

// --- connections before a Terminate, up to the segment that it blames

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
