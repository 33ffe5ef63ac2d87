// SPDX-License-Identifier: Apache-2.0
#include "pcap/tcp_connection.h"

#include <algorithm>
#include <utility>

namespace wirelaw::pcap {

using Event = StreamEvent;

// A side's segment follows the octets that it acknowledges, and the other side's SYN.
bool TcpConnection::has_to_wait(const Segment& segment, bool from_a, const WaitingSegments* waiting) const {
  const TcpStream& mine = from_a ? a_ : b_;
  const TcpStream& other = from_a ? b_ : a_;
  if (!segment.flags.ack() || segment.flags.syn() || over_) return false;
  if (other.is_heard()) return other.is_news(segment.ack);
  // The other side's SYN was not captured, and its first captured segment waits for this one.
  if (waiting != nullptr && waiting->has(!from_a))
    return static_cast<std::int32_t>(segment.ack - waiting->front(!from_a).seq) > 0;
  return mine.from_start() && !is_alone_;
}

bool TcpConnection::take_in_order(const Segment& segment, bool from_a, PieceSink sink) {
  const bool follows_waiting = waiting_ && waiting_->precedes(segment, from_a) && !segment.flags.syn();
  if (follows_waiting || has_to_wait(segment, from_a, waiting_.get())) {
    if (!waiting_) waiting_ = std::make_unique<WaitingSegments>();
    waiting_->add(segment, from_a);
  } else {
    if (segment.flags.rst()) give_up_waiting(sink);
    if (!take_other(segment, from_a, sink)) return false;
  }
  if (!waiting_) return true;
  // One of them may show that another connection uses the ports: this one then ends, and has no waiting segments.
  std::unique_ptr<WaitingSegments> waiting = std::move(waiting_);
  note_clocks(segment, *waiting, from_a);
  release(*waiting, sink);
  const auto has_waited_enough = [&] {
    const std::int64_t since_ns = waiting->front(waiting->oldest_is_of_a()).time_ns;
    const std::size_t most = a_.is_heard() && b_.is_heard() ? limits_.held : std::min(limits_.held, kHeldForSilence);
    return waiting->memory() > most || nanoseconds_from(since_ns, segment.time_ns) > kPatience;
  };
  while (!waiting->empty() && has_waited_enough()) give_up_oldest(*waiting, sink);
  if (!waiting->empty()) waiting_ = std::move(waiting);
  return true;
}

// The first waiting segment of the other side now has what it waited for, and was captured earlier, so the clocks
// differ.
void TcpConnection::note_clocks(const Segment& segment, const WaitingSegments& waiting, bool from_a) {
  constexpr std::int64_t kNanosecondsInMicrosecond = 1000;
  if (!waiting.has(!from_a) || has_to_wait(waiting.front(!from_a), !from_a, &waiting)) return;
  const std::int64_t later_us =
      nanoseconds_from(waiting.front(!from_a).time_ns, segment.time_ns) / kNanosecondsInMicrosecond;
  if (later_us > 0)
    notes_.note(segment, from_a, flaw(Fault::tcp_two_clocks, segment.frame_offset, static_cast<std::size_t>(later_us)));
}

// Delivers the waiting segments whose acknowledged octets have all been delivered.
void TcpConnection::release(WaitingSegments& waiting, PieceSink sink) {
  bool stopped = false;
  for (bool from_a = true; !waiting.empty(); from_a = !from_a) {
    if (waiting.has(from_a) && !has_to_wait(waiting.front(from_a), from_a, &waiting)) {
      const WaitingSegments::One one = waiting.take(from_a);
      take_other(one.segment, from_a, sink);
      stopped = false;
    } else if (std::exchange(stopped, true)) {
      return;
    }
  }
}

// Gives up waiting for the octets that the oldest segment acknowledges: they are missing.
void TcpConnection::give_up_oldest(WaitingSegments& waiting, PieceSink sink) {
  const WaitingSegments::One one = waiting.take(waiting.oldest_is_of_a());
  is_alone_ |= !(one.from_a ? b_ : a_).is_heard() && !waiting.has(!one.from_a);
  take_other(one.segment, one.from_a, sink);
  release(waiting, sink);
}

void TcpConnection::give_up_waiting(PieceSink sink) {
  const std::unique_ptr<WaitingSegments> waiting = std::move(waiting_);
  while (waiting && !waiting->empty()) give_up_oldest(*waiting, sink);
}

bool TcpConnection::take_other(const Segment& segment, bool from_a, PieceSink sink) {
  TcpStream& mine = from_a ? a_ : b_;
  TcpStream& other = from_a ? b_ : a_;
  note_window(segment, from_a);
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
  mine.hear();
  // Delivers the other side's octets that this one has, before this side's own.
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

// Returns false if the SYN opens another connection.
bool TcpConnection::take_syn(const Segment& segment, TcpStream& mine, TcpStream& other, PieceSink sink) {
  const std::uint32_t first = segment.seq + 1;
  if (mine.is_open()) {
    if (mine.begins_at(first)) return true;  // a retransmission
    // A SYN that was captured late, after the octets that follow it.
    const std::int32_t ahead = mine.distance(first);
    return !over_ && !mine.from_start() && ahead <= 0 && ahead >= -TcpStream::kNear;
  }
  if (over_) return false;
  const TcpStream::Origin origin = TcpStream::origin_of(segment);
  // An answer shows the other side's initial number, even if its SYN was not seen.
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

// Delivers the held octets of both directions, in the order of arrival.
void TcpConnection::deliver_held(PieceSink sink) {
  for (;;) {
    const auto a = a_.held_since(), b = b_.held_since();
    if (!a && !b) return;
    (a && (!b || *a <= *b) ? a_ : b_).skip_hole(notes_, sink);
  }
}

void TcpConnection::finish_with(PieceSink sink) {
  give_up_waiting(sink);
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
