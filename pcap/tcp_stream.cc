// SPDX-License-Identifier: Apache-2.0
#include "pcap/tcp_stream.h"

#include <algorithm>
#include <utility>

namespace wirelaw::pcap {

using Event = StreamEvent;

void TcpNotes::note(const Segment& segment, bool from_a, const Flaw& flaw) {
  for (const TcpFlaw& known : flaws)
    if (known.flaw.fault == flaw.fault) return;
  flaws.push_back({segment.frame, from_a, flaw});
}

StreamPiece TcpStream::piece(Event event, const Origin& origin) const {
  return {.event = event,
          .sender = side_,
          .offset = next_,
          .frame = origin.frame,
          .frame_offset = origin.frame_offset,
          .time_ns = origin.time_ns,
          .order_unknown = origin.order_unknown,
          .received_is_known = origin.received_is_known,
          .from_start = from_start_};
}

void TcpStream::open(std::uint32_t first, bool from_start, std::uint16_t mss, const Origin& origin, PieceSink sink) {
  open_ = true;
  from_start_ = from_start;
  first_ = next_seq_ = first;
  StreamPiece opened = piece(Event::opened, origin);
  opened.mss = mss;
  sink(opened);
}

void TcpStream::advance(std::uint64_t length) {
  next_ += length;
  next_seq_ += static_cast<std::uint32_t>(length);
}

// Delivers these octets, or a gap if there are none.
void TcpStream::deliver(std::uint64_t length, Octets octets, const Origin& origin, TcpNotes& notes, PieceSink sink) {
  StreamPiece next = piece(octets.empty() ? Event::gap : Event::octets, origin);
  next.octets = octets;
  next.missing = octets.empty() ? length : 0;
  advance(length);
  if (octets.empty()) {
    has_gap_ = true;
    ++notes.counts.gaps;
    notes.counts.missing += length;
    recent_.clear();
  } else {
    notes.counts.octets += length;
    recent_.append(octets);
  }
  sink(next);
}

// Delivers the held octets that are due now.
void TcpStream::deliver_held(TcpNotes& notes, PieceSink sink) {
  while (!held_.empty() && held_.begin()->first == next_) {
    const auto node = held_.extract(held_.begin());
    const Held& held = node.mapped();
    held_cost_ -= cost(held);
    deliver(held.length, held.octets, held.origin, notes, sink);
  }
}

void TcpStream::deliver_end(PieceSink sink) {
  if (!end_ || next_ != *end_ || closed_) return;
  closed_ = true;
  sink(piece(Event::closed, end_origin_));
}

// True if the numbers are outside any window, or long past. Counts such segments in a row: retransmissions do not come
// that late, and never several in a row.
bool TcpStream::is_stranger(std::uint32_t seq, std::uint32_t length) {
  const std::int32_t ahead = distance(seq);
  if (ahead <= kFar && ahead + static_cast<std::int64_t>(length) >= -std::int64_t{kLongPast}) {
    strangers_ = 0;
    return false;
  }
  if (length == 0) return true;
  strangers_ = strangers_ != 0 && seq == stranger_seq_ ? strangers_ + 1 : 1;
  stranger_seq_ = seq + length;
  return true;
}

bool TcpStream::take(const Segment& segment, std::uint32_t seq, bool received_is_known, TcpNotes& notes,
                     PieceSink sink) {
  const std::uint32_t length = segment.wire_length;
  const std::int32_t ahead = distance(seq);
  if (is_stranger(seq, length)) {
    if (strangers_ == kStrangers) return false;
    if (ahead > kFar || ahead < -kFar) {
      ++notes.counts.far;
      notes.note(segment, side_ == Side::a, flaw(Fault::tcp_far, segment.frame_offset, seq, next_seq_));
      return true;
    }
  }
  // RFC 9293, section 3.8.4: a keep-alive may carry one meaningless octet.
  if (length == 1 && ahead == -1 && !segment.flags.fin()) {
    ++notes.counts.keep_alives;
    return true;
  }
  const std::int64_t begin = static_cast<std::int64_t>(next_) + ahead;
  const std::int64_t end = begin + length;
  const auto due = static_cast<std::int64_t>(next_);
  if (segment.flags.fin() && end >= due) note_end(segment, static_cast<std::uint64_t>(end), received_is_known, notes);
  if (begin < due || !held_.empty()) compare(segment, begin, notes);

  // The range of the octets that are not delivered yet.
  const std::int64_t from = std::max(begin, due);
  std::int64_t to = end;
  if (end_ && to > static_cast<std::int64_t>(*end_)) {
    ++notes.counts.beyond_end;
    const auto kept = std::max(begin, static_cast<std::int64_t>(*end_)) - begin;
    notes.note(segment, side_ == Side::a,
               flaw(Fault::tcp_beyond_end, segment.frame_offset, static_cast<std::size_t>(length - kept)));
    to = static_cast<std::int64_t>(*end_);
  }
  const Origin origin = origin_of(segment, received_is_known);
  const std::int64_t captured = begin + static_cast<std::int64_t>(segment.payload.size());
  const std::int64_t whole = std::min(to, captured);
  if (from < whole)
    fill(static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(whole),
         segment.payload.subspan(static_cast<std::size_t>(from - begin), static_cast<std::size_t>(whole - from)),
         origin.at(static_cast<std::uint64_t>(from - begin)), notes, sink);
  const std::int64_t cut = std::max({from, captured, static_cast<std::int64_t>(next_)});
  if (cut < to) fill(static_cast<std::uint64_t>(cut), static_cast<std::uint64_t>(to), {}, origin, notes, sink);
  settle(notes, sink);
  return true;
}

// The first FIN sets the end of the stream, unless more has been delivered already. Octets held beyond the end are
// dropped.
void TcpStream::note_end(const Segment& segment, std::uint64_t end, bool received_is_known, TcpNotes& notes) {
  if (end_) return;
  end_ = end;
  acknowledged_ = std::min(acknowledged_, end);
  end_origin_ = origin_of(segment, received_is_known);
  std::uint64_t beyond = 0;
  while (!held_.empty()) {
    const auto last = std::prev(held_.end());
    Held& held = last->second;
    const std::uint64_t held_end = last->first + held.length;
    if (held_end <= end) break;
    held_cost_ -= cost(held);
    const std::uint64_t begin = std::max(last->first, end);
    beyond += held_end - begin;
    if (begin == last->first) {
      held_.erase(last);
      continue;
    }
    held.length = begin - last->first;
    if (!held.octets.empty()) held.octets.resize(static_cast<std::size_t>(held.length));
    held_cost_ += cost(held);
  }
  if (beyond == 0) return;
  ++notes.counts.beyond_end;
  notes.note(segment, side_ == Side::a,
             flaw(Fault::tcp_beyond_end, segment.frame_offset, static_cast<std::size_t>(beyond)));
}

void TcpStream::compare(const Segment& segment, std::int64_t begin, TcpNotes& notes) const {
  const std::int64_t end = begin + static_cast<std::int64_t>(segment.wire_length);
  const auto due = static_cast<std::int64_t>(next_);
  if (begin < due) notes.counts.repeated += static_cast<std::uint64_t>(std::min(end, due) - begin);
  if (const auto found = find_difference(segment, begin)) {
    ++notes.counts.differing;
    notes.note(segment, side_ == Side::a, *found);
  }
}

std::optional<Flaw> TcpStream::find_difference(const Segment& segment, std::int64_t begin) const {
  const std::int64_t end = begin + static_cast<std::int64_t>(segment.payload.size());
  const auto octets = [&](std::int64_t from, std::int64_t to) {
    return segment.payload.subspan(static_cast<std::size_t>(from - begin), static_cast<std::size_t>(to - from));
  };
  const auto differs = [&](std::int64_t at, Octet before) {
    const auto index = static_cast<std::size_t>(at - begin);
    return flaw(Fault::tcp_overlap, segment.frame_offset + index, segment.payload[index], before);
  };
  const auto due = static_cast<std::int64_t>(next_);
  const std::int64_t delivered_from = std::max(begin, due - static_cast<std::int64_t>(recent_.size()));
  const std::int64_t delivered_to = std::min(end, due);
  if (delivered_from < delivered_to) {
    const auto back = static_cast<std::size_t>(due - delivered_from);
    if (const auto index = recent_.find_difference(back, octets(delivered_from, delivered_to)))
      return differs(delivered_from + static_cast<std::int64_t>(*index), recent_.from_end(back - *index));
  }
  if (end <= due) return std::nullopt;
  auto held = held_.upper_bound(static_cast<std::uint64_t>(std::max(begin, due)));
  if (held != held_.begin()) --held;
  for (; held != held_.end() && static_cast<std::int64_t>(held->first) < end; ++held) {
    const OctetBuffer& before = held->second.octets;
    const auto at = static_cast<std::int64_t>(held->first);
    const std::int64_t from = std::max(begin, at);
    const std::int64_t to = std::min(end, at + static_cast<std::int64_t>(before.size()));
    if (from >= to) continue;
    const Octets here = octets(from, to);
    const auto [mine, theirs] = std::mismatch(here.begin(), here.end(), before.begin() + (from - at));
    if (mine != here.end()) return differs(from + (mine - here.begin()), *theirs);
  }
  return std::nullopt;
}

// Delivers the octets in [begin, end) that have not arrived before if they are due, and holds them otherwise. Without
// octets, the snap length has cut the range.
void TcpStream::fill(std::uint64_t begin, std::uint64_t end, Octets octets, const Origin& origin, TcpNotes& notes,
                     PieceSink sink) {
  const auto part = [&](std::uint64_t from, std::uint64_t to) {
    return octets.empty() ? Octets{}
                          : octets.subspan(static_cast<std::size_t>(from - begin), static_cast<std::size_t>(to - from));
  };
  for (std::uint64_t at = begin; at < end;) {
    const auto above = held_.upper_bound(at);
    if (above != held_.begin()) {
      const auto below = std::prev(above);
      const std::uint64_t covered = below->first + below->second.length;
      if (covered > at) {
        notes.counts.repeated += std::min(covered, end) - at;
        at = covered;
        continue;
      }
    }
    const std::uint64_t stop = above == held_.end() ? end : std::min(end, above->first);
    if (at == next_) {
      deliver(stop - at, part(at, stop), origin.at(at - begin), notes, sink);
      const std::uint64_t before = next_;
      deliver_held(notes, sink);
      if (next_ > before) notes.counts.repeated += std::min(next_, end) - std::min(before, end);
      at = std::max(stop, next_);
    } else {
      hold(at, stop - at, part(at, stop), origin.at(at - begin));
      ++notes.counts.held;
      at = stop;
    }
  }
}

void TcpStream::hold(std::uint64_t begin, std::uint64_t length, Octets octets, const Origin& origin) {
  Held& held = held_[begin];
  held.length = length;
  held.octets.assign(octets.begin(), octets.end());
  held.origin = origin;
  held_cost_ += cost(held);
}

// Gives up octets that will not arrive, or for which there is no room to wait.
void TcpStream::settle(TcpNotes& notes, PieceSink sink) {
  while (!held_.empty() && (held_.begin()->first <= acknowledged_ || held_cost_ > limits_.held)) skip_hole(notes, sink);
  deliver_end(sink);
}

void TcpStream::skip_hole(TcpNotes& notes, PieceSink sink) {
  const auto& [offset, first] = *held_.begin();
  deliver(offset - next_, {}, Origin(first.origin), notes, sink);
  deliver_held(notes, sink);
  deliver_end(sink);
}

void TcpStream::acknowledge(std::uint32_t ack, bool must_precede, const Origin& origin, TcpNotes& notes,
                            PieceSink sink) {
  const std::int32_t ahead = distance(ack);
  if (ahead <= 0 || ahead > kFar) return;
  std::uint64_t offset = next_ + static_cast<std::uint64_t>(ahead);
  if (end_) offset = std::min(offset, *end_);
  acknowledged_ = std::max(acknowledged_, offset);
  settle(notes, sink);
  // One more number may be that of a FIN that was not seen.
  if (must_precede && next_ + (end_ ? 0 : 1) < acknowledged_) {
    deliver(acknowledged_ - next_, {}, origin, notes, sink);
    deliver_held(notes, sink);
    deliver_end(sink);
  }
}

std::optional<std::uint64_t> TcpStream::held_since() const {
  return held_.empty() ? std::nullopt : std::optional(held_.begin()->second.origin.frame);
}

void TcpStream::finish(const Origin& origin, TcpNotes& notes, PieceSink sink) {
  while (!held_.empty()) skip_hole(notes, sink);
  if (end_ && next_ < *end_) {
    deliver(*end_ - next_, {}, origin, notes, sink);
  } else if (!end_ && next_ + 1 < acknowledged_) {
    deliver(acknowledged_ - next_, {}, origin, notes, sink);
  }
  deliver_end(sink);
}

void TcpStream::release() {
  held_.clear();
  held_cost_ = 0;
  recent_.release();
}

}  // namespace wirelaw::pcap
