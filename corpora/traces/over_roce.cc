// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/over_roce.h"

#include <algorithm>
#include <utility>

#include "corpora/traces/roce_builder.h"
#include "reference/ddp/segment.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/message.h"

namespace wirelaw::corpora {
namespace {

bool is_request(Octets octets) {
  const auto key = mpa::key_of(mpa::FrameKind::request);
  return octets.size() >= key.size() && std::ranges::equal(octets.first(key.size()), key);
}

// Sends the message in the FPDU. False for a Read Response: the builder has sent it after the Read Request.
bool carry_fpdu(Side sender, Octets fpdu, RoceTraceBuilder& roce) {
  const std::size_t length = static_cast<std::size_t>(fpdu[0]) << 8 | fpdu[1];
  if (fpdu.size() < mpa::fpdu_octets(length)) return false;  // the reply that starts the connection
  const auto segment = ddp::decode(fpdu.subspan(mpa::kLengthOctets, length));
  if (!segment) return false;
  const ddp::Header& header = segment->header;
  switch (static_cast<rdmap::Opcode>(rdmap::decode_control(header.rsvd_ulp).opcode)) {
    case rdmap::Opcode::send:
      roce.send(sender, segment->payload);
      return true;
    case rdmap::Opcode::send_invalidate:
      roce.send(sender, segment->payload, header.rsvd_ulp_rest);
      return true;
    case rdmap::Opcode::write:
      roce.write(sender, segment->payload, header.stag, header.to);
      return true;
    case rdmap::Opcode::read_request: {
      const auto request = rdmap::decode_read_request(segment->payload);
      if (request) roce.read(sender, request->size, request->source_stag, request->source_to);
      return request.has_value();
    }
    default:
      return false;
  }
}

// False if nothing was sent.
bool carry(const TraceMessage& piece, RoceTraceBuilder& roce) {
  if (piece.event == StreamEvent::closed) {
    roce.close(piece.sender);
    return true;
  }
  if (piece.event != StreamEvent::octets || piece.octets.size() < mpa::kLengthOctets) return false;
  if (is_request(piece.octets)) {
    roce.start();
    return true;
  }
  return carry_fpdu(piece.sender, piece.octets, roce);
}

}  // namespace

Trace over_roce(const Trace& trace) {
  RoceTraceBuilder roce;
  std::int64_t pause_ns = 0;
  for (const TraceMessage& piece : trace.messages) {
    pause_ns += piece.pause_ns;
    if (carry(piece, roce)) roce.last().pause_ns += std::exchange(pause_ns, 0);
  }
  Trace carried = trace;
  carried.name += "-roce";
  carried.messages = roce.take();
  carried.is_stream = false;
  carried.is_roce = true;
  return carried;
}

}  // namespace wirelaw::corpora
