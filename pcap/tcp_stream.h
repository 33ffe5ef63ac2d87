// SPDX-License-Identifier: Apache-2.0
// One direction of a TCP connection: octets in order from segments in any order, in bounded memory.
//
// If octets arrive again, the first ones count. Later ones are compared with what is still held and with the last
// TcpLimits::compared octets that were delivered, no further.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "pcap/flaw.h"
#include "pcap/recent_octets.h"
#include "pcap/stream_piece.h"
#include "pcap/tcp.h"

namespace wirelaw::pcap {

// Limits for one direction.
struct TcpLimits {
  std::size_t held = std::size_t{1} << 20;  // octets that wait for earlier ones, with their bookkeeping
  // Delivered octets that are kept for comparison; 0: only compare with held octets.
  std::size_t compared = 16384;
};

// Counts for both directions together.
struct TcpCounts {
  std::uint64_t segments = 0;
  std::uint64_t octets = 0;        // delivered
  std::uint64_t repeated = 0;      // octets that had been seen before
  std::uint64_t held = 0;          // segments, or parts of them, that waited for earlier octets
  std::uint64_t gaps = 0;          // delivered
  std::uint64_t missing = 0;       // octets in the gaps
  std::uint64_t differing = 0;     // segments that contradict what was seen before
  std::uint64_t beyond_end = 0;    // segments with octets after a FIN
  std::uint64_t far = 0;           // segments whose sequence numbers are far away
  std::uint64_t after_reset = 0;   // segments with octets after a reset
  std::uint64_t keep_alives = 0;   // keep-alives with an octet
  std::uint64_t stray_resets = 0;  // resets whose sequence numbers are far away
};

// The first flaw of its kind in a connection; later ones are only counted.
struct TcpFlaw {
  std::uint64_t frame = 0;
  bool from_a = false;
  Flaw flaw;
};

struct TcpNotes {
  TcpCounts counts;
  std::vector<TcpFlaw> flaws;

  void note(const Segment& segment, bool from_a, const Flaw& flaw);
};

class TcpStream {
 public:
  // A window has at most 2^30 octets (RFC 7323, section 2.3). A segment that is further away does not belong to this
  // stream.
  static constexpr std::int32_t kFar = 1 << 30;
  // The most by which the numbers of an idle sender may differ from the last ones.
  static constexpr std::int32_t kNear = 1 << 20;
  // An octet is not retransmitted after this many later octets.
  static constexpr std::int32_t kLongPast = 1 << 26;
  // This many consecutive segments out of range, each continuing the one before, prove another connection.
  static constexpr unsigned kStrangers = 8;

  // The segment that carried an octet.
  struct Origin {
    std::uint64_t frame = 0;
    std::int64_t time_ns = 0;
    std::uint32_t frame_offset = 0;  // position of the octet in the frame; 0: unknown
    bool order_unknown = false;
    bool received_is_known = false;  // StreamPiece::received_is_known

    // Same, for a later octet.
    Origin at(std::uint64_t octets) const {
      Origin further = *this;
      if (frame_offset != 0) further.frame_offset += static_cast<std::uint32_t>(octets);
      return further;
    }
  };
  static Origin origin_of(const Segment& segment, bool received_is_known = false) {
    return {segment.frame, segment.time_ns, segment.frame_offset, segment.order_unknown, received_is_known};
  }

  TcpStream(const TcpLimits& limits, bool from_a)
      : limits_(limits), recent_(limits.compared), side_(from_a ? Side::a : Side::b) {}

  bool is_open() const { return open_; }
  bool is_heard() const { return open_ && heard_; }  // a segment of this direction was captured
  void hear() { heard_ = true; }
  bool is_closed() const { return closed_; }
  bool has_held() const { return !held_.empty(); }
  bool from_start() const { return from_start_; }
  std::uint64_t next() const { return next_; }  // offset of the next octet to deliver
  bool begins_at(std::uint32_t seq) const { return from_start_ && first_ == seq; }
  // True if nothing before `ack` remains to be delivered. A sequence number counts an octet or the FIN.
  // False after a gap: its octets were received, but not delivered.
  bool is_delivered_to(std::uint32_t ack) const {
    return open_ && from_start_ && !has_gap_ && distance(ack) <= (closed_ ? 1 : 0);
  }
  // True if `ack` acknowledges octets, or a FIN, that were neither delivered nor given up.
  bool is_news(std::uint32_t ack) const {
    const std::int32_t ahead = distance(ack);
    return ahead > 0 && ahead <= kFar && !closed_ && next_ + static_cast<std::uint64_t>(ahead) > acknowledged_;
  }
  // Distance from the next sequence number due to `seq`; negative if `seq` is before it.
  std::int32_t distance(std::uint32_t seq) const { return static_cast<std::int32_t>(seq - next_seq_); }

  // `first` is the number of the octet with offset 0.
  void open(std::uint32_t first, bool from_start, std::uint16_t mss, const Origin& origin, PieceSink sink);

  // True if the segment is exactly the next one due, and nothing else has to be considered.
  bool is_due(const Segment& segment) const {
    return segment.seq == next_seq_ && open_ && held_.empty() && !end_ && segment.payload.size() == segment.wire_length;
  }
  template <class Sink>
  void deliver_due(const Segment& segment, bool received_is_known, std::uint64_t received, TcpNotes& notes,
                   Sink& sink) {
    const std::uint64_t offset = next_;
    strangers_ = 0;
    heard_ = true;
    const std::size_t size = segment.payload.size();
    if (size == 0) return;
    next_ += size;
    next_seq_ += static_cast<std::uint32_t>(size);
    notes.counts.octets += size;
    recent_.append(segment.payload);
    sink(StreamPiece{.event = StreamEvent::octets,
                     .sender = side_,
                     .octets = segment.payload,
                     .offset = offset,
                     .frame = segment.frame,
                     .frame_offset = segment.frame_offset,
                     .time_ns = segment.time_ns,
                     .order_unknown = segment.order_unknown,
                     .received_is_known = received_is_known,
                     .received = received,
                     .from_start = from_start_});
  }

  // Takes the octets and the FIN of a segment whose first octet has the number `seq`. Returns false, and does not take
  // it, if it proves, together with earlier ones, that another connection uses these ports now.
  bool take(const Segment& segment, std::uint32_t seq, bool received_is_known, TcpNotes& notes, PieceSink sink);

  // The other side has received everything before `ack`, so octets missing here will not be captured any more. The gap
  // is delivered when the octets after it arrive, or at once if `must_precede`: the other side sent octets itself,
  // which these must precede.
  void acknowledge(std::uint32_t ack, bool must_precede, const Origin& origin, TcpNotes& notes, PieceSink sink);

  // The frame with the first octets that wait for earlier ones. Empty if none wait.
  std::optional<std::uint64_t> held_since() const;
  // Delivers a gap before the first held octets, and then these octets. Some must be held.
  void skip_hole(TcpNotes& notes, PieceSink sink);
  // Delivers what is held, with its gaps. No segment may follow.
  void finish(const Origin& origin, TcpNotes& notes, PieceSink sink);

  void release();  // frees the memory; nothing more will be delivered
  std::size_t memory() const { return held_cost_ + recent_.memory(); }

 private:
  struct Held {
    std::uint64_t length = 0;
    OctetBuffer octets;  // empty if the snap length cut them off
    Origin origin;
  };
  // Octets of bookkeeping for each held piece, with the map's node and the allocator's overhead.
  static constexpr std::size_t kHeldOverhead = 160;
  static std::size_t cost(const Held& held) { return kHeldOverhead + held.octets.size(); }

  bool is_stranger(std::uint32_t seq, std::uint32_t length);
  void note_end(const Segment& segment, std::uint64_t end, bool received_is_known, TcpNotes& notes);
  void compare(const Segment& segment, std::int64_t begin, TcpNotes& notes) const;
  std::optional<Flaw> find_difference(const Segment& segment, std::int64_t begin) const;
  void fill(std::uint64_t begin, std::uint64_t end, Octets octets, const Origin& origin, TcpNotes& notes,
            PieceSink sink);
  void hold(std::uint64_t begin, std::uint64_t length, Octets octets, const Origin& origin);
  void settle(TcpNotes& notes, PieceSink sink);
  void deliver(std::uint64_t length, Octets octets, const Origin& origin, TcpNotes& notes, PieceSink sink);
  void deliver_held(TcpNotes& notes, PieceSink sink);
  void deliver_end(PieceSink sink);
  void advance(std::uint64_t length);
  StreamPiece piece(StreamEvent event, const Origin& origin) const;

  TcpLimits limits_;
  std::map<std::uint64_t, Held> held_;  // by offset; disjoint, all after next_
  std::size_t held_cost_ = 0;
  RecentOctets recent_;
  std::uint64_t next_ = 0;  // offset of the next octet to deliver
  std::uint32_t next_seq_ = 0, first_ = 0;
  Side side_;
  bool open_ = false, heard_ = false, from_start_ = false, closed_ = false, has_gap_ = false;
  std::optional<std::uint64_t> end_;  // offset of the FIN
  Origin end_origin_;
  std::uint64_t acknowledged_ = 0;  // offset
  std::uint32_t stranger_seq_ = 0;
  unsigned strangers_ = 0;
};

}  // namespace wirelaw::pcap
