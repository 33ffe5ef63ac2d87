// SPDX-License-Identifier: Apache-2.0
// Each sample trace as a sequence of messages or, for a stream, of pieces.
#include <algorithm>

#include "corpora/formats/trace_input.h"
#include "corpora/seed.h"
#include "corpora/traces/trace.h"

namespace wirelaw::corpora {
namespace {

OctetBuffer octets_of(const TraceMessage& piece) {
  if (piece.event == StreamEvent::opened) return OctetBuffer(piece.mss);
  if (piece.event == StreamEvent::gap) return OctetBuffer(piece.missing);
  return piece.octets;
}

OctetBuffer stream_of(const Trace& trace) {
  OctetBuffer input = stream_input(!trace.features.empty(), trace.from_start);
  for (const TraceMessage& piece : trace.messages) append_piece(input, piece.sender, piece.event, octets_of(piece));
  return input;
}

OctetBuffer messages_of(const Trace& trace) {
  constexpr std::int64_t kLong = 10'000'000;
  OctetBuffer input;
  for (const TraceMessage& message : trace.messages)
    append_message(input, message.sender, message.octets, message.ip_option_octets > 0 || message.pause_ns >= kLong);
  return input;
}

// The target's subject: a protocol with traces of streams and of datagrams has a target for each.
std::string subject_of(const Trace& trace, const TraceSet& set) {
  const bool has_streams = std::ranges::any_of(set.traces, &Trace::is_stream);
  return !trace.is_stream && has_streams ? "_datagrams" : "_trace";
}

}  // namespace

std::vector<Seed> trace_seeds() {
  std::vector<Seed> seeds;
  for (const TraceSet& set : all_trace_sets())
    for (const Trace& trace : set.traces) {
      if (trace.is_roce) continue;  // fuzz_roce has these
      seeds.push_back({"fuzz_" + std::string(set.protocol) + subject_of(trace, set), trace.name,
                       trace.is_stream ? stream_of(trace) : messages_of(trace)});
    }
  return seeds;
}

}  // namespace wirelaw::corpora
