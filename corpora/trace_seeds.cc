// SPDX-License-Identifier: Apache-2.0
// Each sample trace as a sequence of messages; one of a stream as a sequence of pieces, its FPDUs as ULPDUs, which the
// target frames, so that what mutations make of them is still framed.
#include <algorithm>

#include "corpora/formats/records.h"
#include "corpora/seed.h"
#include "corpora/traces/trace.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/start_frame.h"

namespace wirelaw::corpora {
namespace {

namespace control = stream_control;

Octet control_of(const TraceMessage& piece) {
  const Octet side = piece.sender == Side::b ? control::kSideB : Octet{0};
  switch (piece.event) {
    case StreamEvent::opened:
      return side | control::kOpened;
    case StreamEvent::gap:
      return side | control::kGap;
    case StreamEvent::closed:
      return side | control::kClosed;
    case StreamEvent::reset:
      return side | control::kReset;
    case StreamEvent::octets:
      break;
  }
  return side | control::kOctets;
}

OctetBuffer octets_of(const TraceMessage& piece) {
  if (piece.event == StreamEvent::opened) return OctetBuffer(piece.mss);
  if (piece.event == StreamEvent::gap) return OctetBuffer(piece.missing);
  return piece.octets;
}

// An FPDU without markers whose CRC holds.
bool is_fpdu(Octets octets) {
  mpa::Deframer deframer(false, true);
  deframer.feed(octets);
  const auto fpdu = deframer.next();
  return fpdu && fpdu->crc_holds() && fpdu->octets.size() == octets.size();
}

OctetBuffer stream_of(const Trace& trace) {
  OctetBuffer out{static_cast<Octet>(control::kCrc | (trace.features.empty() ? 0 : control::kExtensions) |
                                     (trace.from_start ? 0 : control::kMidStream))};
  for (const TraceMessage& piece : trace.messages) {
    const OctetBuffer octets = octets_of(piece);
    const Octet what = control_of(piece);
    if (piece.event == StreamEvent::octets && is_fpdu(octets)) {
      const std::size_t length = load_big_endian<std::uint16_t>(octets.data());
      append_record(out, what | control::kUlpdu, Octets(octets).subspan(mpa::kLengthOctets, length));
    } else {
      append_record(out, what, octets);
    }
  }
  return out;
}

OctetBuffer messages_of(const Trace& trace) {
  constexpr std::int64_t kLong = 10'000'000;
  OctetBuffer out;
  for (const TraceMessage& message : trace.messages) {
    Octet control = message.sender == Side::b ? trace_control::kSideB : 0;
    if (message.ip_option_octets > 0 || message.pause_ns >= kLong) control |= trace_control::kIpOptions;
    append_record(out, control, message.octets);
  }
  return out;
}

// A protocol that has traces of streams and of datagrams has a target for each.
std::string subject_of(const Trace& trace, const TraceSet& set) {
  const bool has_streams = std::ranges::any_of(set.traces, &Trace::is_stream);
  return !trace.is_stream && has_streams ? "_datagrams" : "_trace";
}

}  // namespace

std::vector<Seed> trace_seeds() {
  std::vector<Seed> seeds;
  for (const TraceSet& set : all_trace_sets())
    for (const Trace& trace : set.traces) {
      if (trace.is_roce) continue;  // fuzz_roce has them
      seeds.push_back({"fuzz_" + std::string(set.protocol) + subject_of(trace, set), trace.name,
                       trace.is_stream ? stream_of(trace) : messages_of(trace)});
    }
  return seeds;
}

}  // namespace wirelaw::corpora
