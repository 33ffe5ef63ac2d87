// SPDX-License-Identifier: Apache-2.0
#include "pcap/tcp_connection.h"

namespace wirelaw::pcap {

using Event = StreamEvent;

// Zero is zero whatever its scale (RFC 7323, 2.3). A reset says nothing of room.
void TcpConnection::note_window(const Segment& segment, bool from_a) {
  if (segment.flags.rst() || !segment.flags.ack()) return;
  shut_[from_a ? 1 : 0] = {.is_shut = segment.window == 0, .until_ns = segment.time_ns};
}

bool TcpConnection::take_other(const Segment& segment, bool from_a, PieceSink sink) {
  TcpStream& mine = from_a ? a_ : b_;
  TcpStream& other = from_a ? b_ : a_;
  const bool says = segment.wire_length != 0 || segment.flags.fin();
  const TcpStream::Origin origin = TcpStream::origin_of(segment);
  if (segment.flags.rst()) {
    ++notes_.counts.segments;
    last_ = origin;
    if (!over_) take_rst(segment, from_a, sink);
    return true;
  }
  if (segment.flags.syn() && !take_syn(segment, mine, other, sink)) {
    finish_with(sink);
    return false;
  }
  if (cut_short_) {
    ++notes_.counts.segments;
    notes_.counts.after_reset += segment.wire_length != 0 ? 1 : 0;
    return true;
  }
  // The other side's octets that this one has come before what it says.
  if (segment.flags.ack() && other.is_open()) other.acknowledge(segment.ack, says, origin, notes_, sink);
  if (says) {
    const std::uint32_t seq = segment.seq + (segment.flags.syn() ? 1 : 0);
    if (!mine.is_open()) mine.open(seq, false, 0, origin, sink);
    const bool received_is_known = segment.flags.ack() && other.is_delivered_to(segment.ack);
    if (!mine.take(segment, seq, received_is_known, notes_, sink)) {
      finish_with(sink);
      return false;
    }
  }
  ++notes_.counts.segments;
  last_ = origin;
  if (!over_ && a_.is_closed() && b_.is_closed()) end();
  return true;
}

// False where it is another connection's.
bool TcpConnection::take_syn(const Segment& segment, TcpStream& mine, TcpStream& other, PieceSink sink) {
  const std::uint32_t first = segment.seq + 1;
  if (mine.is_open()) {
    if (mine.begins_at(first)) return true;  // once more
    // One that was captured late, after the octets behind it.
    const std::int32_t ahead = mine.distance(first);
    return !over_ && !mine.from_start() && ahead <= 0 && ahead >= -TcpStream::kNear;
  }
  if (over_) return false;
  const TcpStream::Origin origin = TcpStream::origin_of(segment);
  // An answer shows where the other side begins, though its SYN was not seen.
  if (segment.flags.ack() && !other.is_open()) other.open(segment.ack, true, 0, origin, sink);
  mine.open(first, true, segment.mss, origin, sink);
  return true;
}

void TcpConnection::take_rst(const Segment& segment, bool from_a, PieceSink sink) {
  const TcpStream& mine = from_a ? a_ : b_;
  if (mine.is_open()) {
    const std::int32_t ahead = mine.distance(segment.seq);
    if (ahead > TcpStream::kNear || ahead < -TcpStream::kNear) {
      ++notes_.counts.stray_resets;
      return;
    }
  }
  deliver_held(sink);
  sink(StreamPiece{.event = Event::reset,
                   .sender = from_a ? Side::a : Side::b,
                   .offset = mine.next(),
                   .frame = segment.frame,
                   .time_ns = segment.time_ns,
                   .order_unknown = segment.order_unknown,
                   .received_is_known = false,
                   .from_start = mine.from_start()});
  cut_short_ = true;
  end();
}

// Of both directions, in the order in which it came.
void TcpConnection::deliver_held(PieceSink sink) {
  for (;;) {
    const auto a = a_.held_since(), b = b_.held_since();
    if (!a && !b) return;
    (a && (!b || *a <= *b) ? a_ : b_).skip_hole(notes_, sink);
  }
}

void TcpConnection::finish_with(PieceSink sink) {
  if (!over_) {
    deliver_held(sink);
    if (a_.is_open()) a_.finish(last_, notes_, sink);
    if (b_.is_open()) b_.finish(last_, notes_, sink);
    cut_short_ = true;
  }
  end();
}

void TcpConnection::end() {
  over_ = true;
  a_.release();
  b_.release();
}

}  // namespace wirelaw::pcap
