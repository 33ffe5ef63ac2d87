// SPDX-License-Identifier: Apache-2.0
// What an observer remembers of one iWARP connection: how MPA was started, and for each direction where framing,
// messages and reads are. Everything here is bounded, whatever the peers send.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <optional>
#include <string>

#include "conformance/rdmap/tracker/recent_segments.h"
#include "conformance/rule.h"
#include "conformance/trace.h"
#include "conformance/transitions.h"
#include "reference/ddp/segment.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::rdmap {

// Octets that are kept because they can be judged only later: the first of a message.
struct SeenOctets {
  OctetBuffer octets;
  std::uint64_t index = 0;         // of the message in the flow
  std::uint64_t frame = 0;         // in the capture
  bool received_is_known = false;  // StreamPiece::received_is_known

  Message message(Side sender) const {
    return {.octets = octets, .wire_length = octets.size(), .sender = sender, .index = index, .frame = frame};
  }
};
inline constexpr std::size_t kSeenOctets = 128;

// A start frame with octets of its own.
struct SeenStartFrame {
  OctetBuffer octets;
  std::uint64_t index = 0;         // of the message in the flow
  std::uint64_t frame = 0;         // in the capture
  std::int64_t time_ns = 0;        // of that frame
  bool received_is_known = false;  // StreamPiece::received_is_known

  mpa::StartFrame decoded() const { return *mpa::decode_start_frame(octets); }
  mpa::FrameKind kind() const { return *decoded().kind(); }
  Message message(Side sender) const {
    return {.octets = octets, .wire_length = octets.size(), .sender = sender, .index = index, .frame = frame};
  }
};

// What the two start frames settle (RFC 5044, 7.1; RFC 6581, 9).
struct Agreed {
  enum class Stage : std::uint8_t {
    open,      // one start frame has been seen at most, or two of the same kind
    accepted,  // by a Reply with R=0
    rejected,  // by a Reply with R=1
    // The start was not seen, or not all of it. Markers are there if they show themselves at a beginning, CRCs if they
    // hold; `crc` is set if a start frame demanded them.
    assumed,
    count_
  };
  enum class Event : std::uint8_t { accepted, rejected, missed, count_ };
  static constexpr Transition<Stage, Event> kRows[] = {
      {Stage::open, Event::accepted, Stage::accepted},
      {Stage::open, Event::rejected, Stage::rejected},
      {Stage::open, Event::missed, Stage::assumed},
  };

  Side initiator = Side::a;
  bool crc = true;
  std::array<bool, 2> markers{};  // by Side: in what this side sends
  std::uint8_t revision = 1;
  std::optional<mpa::EnhancedData> request, reply;

  bool enhanced() const { return request && reply; }
  bool is_accepted() const { return stage_ == Stage::accepted; }
  bool is_assumed() const { return stage_ == Stage::assumed; }
  void happen(Event event) { stage_ = kTransitions.after(stage_, event); }

 private:
  static constexpr Transitions<Stage, Event> kTransitions{kRows};
  Stage stage_ = Stage::open;
};

// A segment that is not where the one before it ended. What it breaks shows only once the message is complete:
// the finding points back at it.
struct Stray {
  bool there = false;
  Message message;  // where it was found; the octets are those below
  std::array<Octet, mpa::kLengthOctets + ddp::layout::kUntagged> octets{};
  std::uint64_t at = 0, due = 0;  // its MO or TO, and the one that was due
};

// The message of a queue, or the tagged message, that has begun and has not seen its last segment.
struct OpenMessage {
  bool open = false;
  bool unsettled = false;  // its last segment has been seen, and octets are missing before it
  bool mixed = false;      // another message began before its end, and that has been reported
  bool joined = false;     // the trace does not hold its beginning
  std::uint8_t rsvd_ulp = 0;
  std::uint32_t rsvd_ulp_rest = 0;
  std::uint32_t stag = 0;              // tagged
  std::uint32_t msn = 0;               // untagged
  std::uint32_t segments = 0;          // so far
  std::uint64_t next = 0;              // behind the highest octet so far: the MO or TO that is due
  std::uint64_t lowest = 0;            // MO or TO of the lowest octet so far
  std::uint64_t octets = 0;            // of payload so far
  std::uint64_t begun = 0;             // index of its first message (FPDU)
  std::optional<std::uint32_t> whole;  // octets that it has to have, where that is known
  Stray stray;
};

// An untagged queue in one direction.
struct Queue {
  std::uint32_t next_msn = ddp::kFirstMsn;
  bool known = true;                        // false: the trace began behind the first message, or lost some
  bool used = false;                        // a message has been seen
  std::optional<std::uint32_t> latest_msn;  // of the latest message that began
  bool counts_back = false;                 // one had no higher number than the one before: a number may be that of two
  OpenMessage message;
  // A message that the next one began in, without its last segment, or that began before the trace: the rest of it is
  // no news.
  bool interrupted = false;
  std::uint32_t interrupted_msn = 0;
};
inline constexpr std::size_t kQueues = 4;  // 0 to 2, and 3 by RFC 7306

// A Read Request that waits for its response, kept by the requester's direction.
struct OutstandingRead {
  ReadRequest request;
  bool atomic = false;  // RFC 7306: a response of queue 3 is due instead
  std::uint32_t identifier = 0;
  std::uint64_t received = 0;  // octets of the response so far
  std::uint64_t index = 0;     // of the request's FPDU
  std::uint64_t frame = 0;     // that it was in, and its time
  std::int64_t time_ns = 0;
};
inline constexpr std::size_t kMaxOutstandingReads = 0x4000;  // 14 bits, RFC 6581 9: more are not remembered

enum class Reading : std::uint8_t {
  startup,   // its start frame is not whole yet
  waiting,   // its start frame is whole, the other one is not
  full,      // Full Operation
  lost,      // octets are missing, and where the next FPDU begins is not known
  rejected,  // MPA has been left by a rejection
  over,      // closed, reset, or not iWARP
};

// What FPDUs have shown of how they are framed.
struct Framing {
  bool settled = false;     // the first octets have shown whether markers are in them
  bool mid_stream = false;  // its beginning was not seen: whether markers are in it is not known
  bool crc_seen_to_hold = false;
  bool markers_doubted = false;     // one of its markers was wrong: they may be at other places
  bool has_untrusted_fpdu = false;  // the receiver may have dropped it and what followed in silence (MPA-8-2)
  std::uint32_t crc_failures = 0;
};

// FPDUs in the segments of TCP, as far as the trace shows these (RFC 5044, 5.1).
struct Alignment {
  std::uint64_t piece_at = 0;  // of Full Operation: where the piece begins that is being taken
  std::size_t largest_piece = 0;
  std::uint64_t fitting = 0;  // FPDUs that one segment could have held
  std::uint64_t astray = 0;   // those that lie in more than one
};

struct SentTerminate {
  std::uint64_t index = 0;  // of the FPDU
  std::uint64_t frame = 0;  // that it was in, and its time
  std::int64_t time_ns = 0;
  bool is_followed = false;  // another FPDU has come after it, or after one before, and that has been stated
};

// The end of a stream that was closed, of its own accord, maybe in the middle of an FPDU.
struct BrokenOff {
  Message at;
  std::size_t octets = 0;  // of the FPDU that is not whole
};

struct StreamEnd {
  bool closed = false, reset = false;   // a reset may follow a FIN
  bool is_stated = false;               // what it shows of messages
  std::optional<BrokenOff> broken_off;  // it is stated when the end of the other direction is known

  bool is_there() const { return closed || reset; }
};

// One direction: what one side sends.
struct Direction {
  Side side = Side::a;
  Reading phase = Reading::startup;
  std::uint16_t mss = 0;          // that the other side announced: the limit of what this side sends; 0 unknown
  std::uint64_t full_at = 0;      // stream offset where Full Operation begins
  bool seen = false;              // anything of it
  bool unbroken = false;          // from its first octet on, without a gap
  std::int64_t last_ns = 0;       // the time of its last piece
  bool received_is_known = true;  // of its last piece: StreamPiece::received_is_known
  OctetBuffer held;               // octets that cannot be understood yet: of a start frame, or the first of an FPDU
  OctetBuffer first;              // the first octets of the start-up, for a finding
  bool ulp_spoke = false;         // what it began with is the ULP's: a key may come behind it
  std::uint64_t passed_over = 0;  // octets before the start frame that are the ULP's
  std::optional<SeenStartFrame> start;
  bool held_unanswered = false;  // octets came behind the start frame when its sender had received no answer to it
  std::optional<mpa::Deframer> deframer;
  Framing framing;
  std::uint64_t fpdus = 0;
  bool looked_behind_rejection = false;  // what follows a rejection is no start frame
  bool resync_due = false;               // octets are missing: the next piece goes on behind them
  std::optional<SeenOctets> early;       // what a responder sent before the initiator's first FPDU was there
  OctetBuffer row;                       // octets from where a segment began, which may be FPDUs in a row
  std::uint64_t row_at = 0;              // their stream offset
  unsigned row_pieces = 0;               // that they came in
  std::uint64_t looked_through = 0;      // octets in which no FPDU was found, the start not having been seen

  Alignment alignment;

  std::array<Queue, kQueues> queues{};
  OpenMessage tagged;
  std::uint64_t tagged_messages = 0;

  std::list<OutstandingRead> reads;  // requested by this side; the front one may be being answered
  std::uint64_t reads_forgotten = 0;
  bool answering = false;        // the tagged message that this side has open answers the other side's front read
  bool excess_reported = false;  // of that answer
  // A Read Request in more than one segment, put together.
  std::array<Octet, layout::kReadRequest> split_request{};
  std::optional<std::uint8_t> version;  // DV of the first segment

  RecentSegments recent;
  std::optional<SentTerminate> terminate;  // the latest
  StreamEnd end;
};

struct Connection {
  Agreed agreement;
  std::array<Direction, 2> directions{Direction{.side = Side::a}, Direction{.side = Side::b}};
  bool extensions = false;  // RFC 7306 is declared
  std::string partial;      // why not everything could be judged; empty where it could
  // What a side sent could not be read as segments: what rests on it is judged for neither side.
  bool has_unread_segments = false;
  std::uint64_t messages = 0;

  Direction& of(Side side) { return directions[side == Side::a ? 0 : 1]; }
  const Direction& of(Side side) const { return directions[side == Side::a ? 0 : 1]; }
  wirelaw::Role role_of(Side side) const {
    return side == agreement.initiator ? wirelaw::Role::initiator : wirelaw::Role::responder;
  }
};

// The trace holds every octet of the connection so far, and each of them could be read.
inline bool all_is_known(const Connection& connection) {
  return connection.partial.empty() && !connection.agreement.is_assumed() && !connection.has_unread_segments;
}

// What this side has sent so far ends within an FPDU. If that FPDU is at fault (a marker that is not where it is due,
// for one), the other side may have read another one there, and answered it.
inline bool ends_within_fpdu(const Direction& direction) {
  return direction.deframer && direction.deframer->pending() > 0;
}

// What a check rests on that finds that `from` had not received something when it sent its last octets. Its
// acknowledgments may show what it had received, and then the octets prove it.
inline Evidence evidence_of_lack(const Connection& connection, const Direction& from,
                                 Evidence otherwise = Evidence::absence) {
  return from.received_is_known && all_is_known(connection) ? Evidence::octets : otherwise;
}

}  // namespace wirelaw::rdmap
