// SPDX-License-Identifier: Apache-2.0
// The beginning, the continuation and the end of the samples' MPA connections.
#pragma once

#include "corpora/traces/rdmap_builder.h"

namespace wirelaw::corpora {

// --- start frames

inline RdmapTraceBuilder::StartEdit with_markers() {
  return [](mpa::StartFrame& frame) { frame.markers = true; };
}
inline RdmapTraceBuilder::StartEdit enhanced() {
  return [](mpa::StartFrame& frame) { frame.revision = mpa::kRevision2, frame.enhanced = true; };
}
inline OctetBuffer octets_of(const mpa::EnhancedData& data) {
  OctetBuffer octets;
  Writer(octets).big_endian(mpa::encode_enhanced(data));
  return octets;
}
inline constexpr mpa::EnhancedData kPeerToPeer{.peer_to_peer = true, .ird = 4, .rtr_write = true, .ord = 4};

// Sends both start frames, enhanced, and nothing after them.
inline void agree(RdmapTraceBuilder& s, const mpa::EnhancedData& request, const mpa::EnhancedData& reply) {
  s.open();
  s.request(enhanced(), octets_of(request));
  s.reply(enhanced(), octets_of(reply));
}
inline mpa::EnhancedData depths(std::uint16_t ird, std::uint16_t ord) {
  return {.ird = ird, .ord = ord};
}

// --- messages after the start, and the end

inline void exchange(RdmapTraceBuilder& s) {
  s.send(Side::a, pattern(10));
  s.send(Side::b, pattern(11));
  s.send(Side::a, pattern(12));
  s.send(Side::b, pattern(13));
}
inline void part(RdmapTraceBuilder& s) {
  s.close(Side::a);
  s.close(Side::b);
}
inline void exchange_and_part(RdmapTraceBuilder& s) {
  exchange(s);
  part(s);
}
inline void start_and_exchange(RdmapTraceBuilder& s) {
  s.start();
  exchange(s);
}
inline void start_with_markers(RdmapTraceBuilder& s) {
  s.open();
  s.request(with_markers());
  s.reply(with_markers());
}

// Sends a Send whose FPDU has `octets` octets without markers: a multiple of four.
inline void send_fpdu_of(RdmapTraceBuilder& s, Side side, std::size_t octets,
                         const RdmapTraceBuilder::Faults& faults = {}) {
  s.send(side, pattern(octets - mpa::kLengthOctets - ddp::layout::kUntagged - mpa::kCrcOctets), rdmap::Opcode::send, 0,
         {}, faults);
}

}  // namespace wirelaw::corpora
