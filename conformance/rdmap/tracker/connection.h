// SPDX-License-Identifier: Apache-2.0
// The state that an observer keeps for one iWARP connection: how MPA was started, and the position of framing, messages
// and reads in each direction. All of it is bounded, whatever the peers send.
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

// The first octets of a message that can be judged only later.
struct SeenOctets {
  OctetBuffer octets;
  std::uint64_t index = 0;         // index of the message in the flow
  std::uint64_t frame = 0;         // number of the frame in the capture
  bool received_is_known = false;  // StreamPiece::received_is_known

  Message message(Side sender) const {
    return {.octets = octets, .wire_length = octets.size(), .sender = sender, .index = index, .frame = frame};
  }
};
inline constexpr std::size_t kSeenOctets = 128;

// A start frame with octets of its own.
struct SeenStartFrame {
  OctetBuffer octets;
  std::uint64_t index = 0;         // index of the message in the flow
  std::uint64_t frame = 0;         // number of the frame in the capture
  std::int64_t time_ns = 0;        // time of that frame
  bool received_is_known = false;  // StreamPiece::received_is_known

  mpa::StartFrame decoded() const { return *mpa::decode_start_frame(octets); }
  mpa::FrameKind kind() const { return *decoded().kind(); }
  Message message(Side sender) const {
    return {.octets = octets, .wire_length = octets.size(), .sender = sender, .index = index, .frame = frame};
  }
};

// The terms that the two start frames agree (RFC 5044, 7.1; RFC 6581, 9).
struct Agreed {
  enum class Stage : std::uint8_t {
    open,      // one start frame has been seen at most, or two of the same kind
    accepted,  // accepted by a Reply with R=0
    rejected,  // rejected by a Reply with R=1
    assumed,   // the start was not seen, or not all of it
    count_
  };
  enum class Event : std::uint8_t {
    accepted,
    rejected,
    missed,  // a start frame was not seen
    count_
  };
  static constexpr Transition<Stage, Event> kRows[] = {
      {Stage::open, Event::accepted, Stage::accepted},
      {Stage::open, Event::rejected, Stage::rejected},
      {Stage::open, Event::missed, Stage::assumed},
  };

  // If the start is assumed, markers are there if they show themselves at a beginning, CRCs if they hold; `crc` is set
  // if a start frame demanded them.
  Side initiator = Side::a;
  bool crc = true;
  std::array<bool, 2> markers{};  // by Side: markers are used in what this side sends
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

// A segment that does not begin at the end of the segment before it. What it violates shows only once the message is
// complete, and the finding then points back at this segment.
struct Stray {
  Message message;  // position of the segment; its octets are those below
  std::array<Octet, mpa::kLengthOctets + ddp::layout::kUntagged> octets{};
  std::uint64_t at = 0, due = 0;  // its MO or TO, and the one that was due
};

// The latest message of a queue, or the latest tagged one.
struct OpenMessage {
  enum class Stage : std::uint8_t {
    ended,      // its last segment has been seen, or there is no message yet
    open,       // its last segment has not been seen
    unsettled,  // its last segment has been seen, and octets are missing before it
    count_
  };
  enum class Event : std::uint8_t {
    segment,                 // its first one, or one that continues it after its end
    last_segment,            // and nothing is missing
    last_segment_too_early,  // and octets before it are missing
    settled,                 // these octets have come, or will not come any more
    count_
  };
  static constexpr Transition<Stage, Event> kRows[] = {
      {Stage::ended, Event::segment, Stage::open},
      {Stage::open, Event::last_segment, Stage::ended},
      {Stage::open, Event::last_segment_too_early, Stage::unsettled},
      {Stage::unsettled, Event::segment, Stage::open},
      {Stage::unsettled, Event::settled, Stage::ended},
  };

  bool is_open() const { return stage_ == Stage::open; }
  bool is_unsettled() const { return stage_ == Stage::unsettled; }
  void happen(Event event) { stage_ = kTransitions.after(stage_, event); }
  // Its segments together cover it from its lowest octet to its highest, each octet once.
  bool is_covered() const { return octets == next - lowest; }

  bool mixed = false;   // another message began before its end, and that has been reported
  bool joined = false;  // the trace does not hold its beginning
  std::uint8_t rsvd_ulp = 0;
  std::uint32_t rsvd_ulp_rest = 0;
  std::uint32_t stag = 0;              // tagged
  std::uint32_t msn = 0;               // untagged
  std::uint32_t segments = 0;          // so far
  std::uint64_t next = 0;              // the MO or TO expected next: one past the highest octet so far
  std::uint64_t lowest = 0;            // MO or TO of the lowest octet so far
  std::uint64_t octets = 0;            // payload octets so far
  std::uint64_t begun = 0;             // index of its first message (FPDU)
  std::optional<std::uint32_t> whole;  // the length that it must have, if known
  std::optional<Stray> stray;          // its first one
  // Untagged: the first octets of what has come. The longest header is that of an Atomic Request.
  std::array<Octet, layout::kAtomicRequest> head{};

 private:
  static constexpr Transitions<Stage, Event> kTransitions{kRows};
  Stage stage_ = Stage::ended;
};

// An untagged queue in one direction.
struct Queue {
  std::uint32_t next_msn = ddp::kFirstMsn;
  std::optional<std::uint32_t> left_at;     // the MSN that was due when a message had another: it may still come
  bool known = true;                        // false: the trace began after the first message, or lost messages
  bool used = false;                        // a message has been seen
  std::optional<std::uint32_t> latest_msn;  // MSN of the latest message that began
  bool counts_back = false;  // an MSN was not higher than the one before it, so two messages may share one
  OpenMessage message;
  // A message that was interrupted by the next one before its last segment, or that began before the trace. The rest of
  // it is not reported again.
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
  std::uint64_t index = 0;     // index of the request's FPDU
  std::uint64_t frame = 0;     // frame that holds it; time_ns is the time of that frame
  std::int64_t time_ns = 0;
};
inline constexpr std::size_t kMaxOutstandingReads = 0x4000;  // 14 bits (RFC 6581, 9); further ones are not kept

// What the octets of a direction are read as.
class Reading {
 public:
  enum class Stage : std::uint8_t {
    startup,   // its start frame is not complete yet
    waiting,   // its start frame is complete, the peer's is not
    full,      // Full Operation
    lost,      // octets are missing, and the start of the next FPDU is unknown
    rejected,  // a rejection has ended MPA
    over,      // closed, reset, or not iWARP
    count_
  };
  using enum Stage;
  enum class Event : std::uint8_t {
    start_frame,  // its start frame is complete
    begun,        // Full Operation has begun: both sides have accepted MPA, or that is assumed
    rejected,     // the responder has rejected MPA
    gap,          // the start of the next FPDU, or how FPDUs are framed, is unknown
    found,        // an FPDU has been found
    ended,
    count_
  };
  // A side that has closed its stream, or whose stream has a gap, may still be accepted or rejected by the other one.
  static constexpr Transition<Stage, Event> kRows[] = {
      {startup, Event::start_frame, waiting},
      {startup, Event::rejected, rejected},
      {startup, Event::gap, lost},
      {startup, Event::ended, over},
      {waiting, Event::begun, full},
      {waiting, Event::rejected, rejected},
      {waiting, Event::gap, lost},
      {waiting, Event::ended, over},
      {full, Event::gap, lost},
      {full, Event::ended, over},
      {lost, Event::start_frame, waiting},
      {lost, Event::begun, full},
      {lost, Event::rejected, rejected},
      {lost, Event::found, full},
      {lost, Event::ended, over},
      {rejected, Event::ended, over},
      {over, Event::begun, full},
      {over, Event::rejected, rejected},
  };

  Stage stage() const { return stage_; }
  bool is(Stage stage) const { return stage_ == stage; }
  void happen(Event event) { stage_ = kTransitions.after(stage_, event); }

 private:
  static constexpr Transitions<Stage, Event> kTransitions{kRows};
  Stage stage_ = startup;
};

// The framing that the FPDUs have shown so far.
struct FramingSoFar {
  bool settled = false;     // the first octets have shown whether markers are in them
  bool mid_stream = false;  // its beginning was not seen, so it may or may not have markers
  bool crc_seen_to_hold = false;
  bool markers_unasked = false;     // it has markers although the peer has not asked for them
  bool markers_doubted = false;     // one of its markers was wrong, so markers may be elsewhere
  bool has_untrusted_fpdu = false;  // the receiver may have silently dropped it and all that followed (MPA-8-2)
  std::uint32_t crc_failures = 0;
  bool resync_due = false;  // octets are missing before the next piece
  std::uint64_t fpdus = 0;
  std::uint64_t pending_frame = 0;  // the frame where the incomplete FPDU begins
};

// What a side sends before Full Operation.
struct Preamble {
  OctetBuffer first;                     // the first octets, for a finding
  std::uint64_t first_frame = 0;         // the frame where they begin
  std::uint64_t held_frame = 0;          // the frame where Direction::held begins
  bool ulp_spoke = false;                // it began with octets of the ULP; a key may follow
  std::size_t ulps_last = 0;             // held octets from before the other side's start frame: perhaps the ULP's
  std::uint64_t passed_over = 0;         // octets of the ULP before the start frame
  bool wrong_key = false;                // its start frame had a wrong key, and the other side has only waited for it
  bool held_unanswered = false;          // octets followed the start frame before its sender had received an answer
  bool looked_behind_rejection = false;  // no start frame follows the rejection
  std::optional<SeenOctets> early;       // what a responder sent before the initiator's first FPDU
};

// The search for FPDUs in a stream whose start was not seen.
struct Search {
  OctetBuffer row;                   // octets from the start of a segment, perhaps several FPDUs
  std::uint64_t row_at = 0;          // their stream offset
  unsigned row_pieces = 0;           // number of pieces that held them
  std::uint64_t looked_through = 0;  // octets in which no FPDU was found
};

// The DDP messages of a side.
struct Messages {
  std::array<Queue, kQueues> queues{};
  OpenMessage tagged;
  std::optional<std::uint8_t> version;  // DV of the first segment
};

// A fault of a segment that its receiver finds without knowing more than the trace shows. It has to refuse the segment,
// and to discard what comes after it.
struct PlainFault {
  enum class Kind : std::uint8_t {
    queue_number,  // no stream has such a queue
    old_msn,       // it was used before
    wrap,          // TO plus length runs past 2^64
    opcode,        // reserved
    version,       // neither version of RDMAP
  };
  Kind kind = Kind::queue_number;
  std::uint64_t index = 0;  // index of its FPDU
  bool is_read_request = false;
};

// Which Read of the other side the tagged message of a side answers.
enum class Answering : std::uint8_t {
  none,       // none that is known
  undecided,  // it is a Read Response, and its segments so far do not show to which Read
  front,      // the front one
};

// The Reads of a side, and the Read Responses that it sends.
struct Reads {
  std::list<OutstandingRead> waiting;  // requested by this side; a response to the front one may have begun
  std::uint64_t forgotten = 0;
  std::optional<PlainFault> refused;      // the first segment of this side that the other one has to refuse
  bool is_refusal_settled = false;        // an answer after it has been stated
  std::optional<std::uint64_t> answered;  // index of the latest request of this side that was answered in full
  bool lacks_answers = false;             // an earlier request was given up, or the answer to it had another length
  Answering answering = Answering::none;  // by the open tagged message of this side
  std::int64_t latest_answer_ns = 0;      // the time of the latest segment of a response that this side has sent
  bool excess_reported = false;           // the excess octets of that answer have been reported
};

// How FPDUs are aligned with TCP segments, as far as the trace shows the segments (RFC 5044, 5.1).
struct Alignment {
  std::uint64_t piece_at = 0;  // start of the current piece, counted from the start of Full Operation
  std::size_t largest_piece = 0;
  std::uint64_t fitting = 0;  // FPDUs that one segment could have held
  std::uint64_t split = 0;    // FPDUs that span more than one segment
};

struct SentTerminate {
  std::uint64_t index = 0;  // index of the FPDU
  std::uint64_t frame = 0;  // frame that holds it; time_ns is the time of that frame
  std::int64_t time_ns = 0;
  bool is_followed = false;        // an FPDU that came after this or an earlier Terminate has been reported
  bool may_precede_reset = false;  // 2/0/05 on an enhanced connection (RFC 6581, 9.3)
};

// The end of a stream that its sender closed by itself, perhaps within an FPDU.
struct BrokenOff {
  Message at;
  std::size_t octets = 0;  // octets of the incomplete FPDU
};

struct StreamEnd {
  bool closed = false, reset = false;   // a reset may follow a FIN
  std::int64_t time_ns = 0;             // of the first of the two
  bool is_stated = false;               // its facts about messages have been stated
  std::optional<BrokenOff> broken_off;  // stated once the end of the other direction is known

  bool is_there() const { return closed || reset; }
};

// One direction: what one side sends.
struct Direction {
  Side side = Side::a;
  Reading reading = {};
  std::uint16_t mss = 0;          // announced by the other side, limits what this side sends; 0: unknown
  std::uint64_t full_at = 0;      // stream offset where Full Operation begins
  bool seen = false;              // any octet of it has been seen
  bool unbroken = false;          // seen from its first octet on, without a gap
  std::int64_t last_ns = 0;       // the time of its last piece
  bool received_is_known = true;  // StreamPiece::received_is_known of its last piece
  OctetBuffer held = {};          // octets that cannot be decoded yet: part of a start frame or of an FPDU
  Preamble preamble = {};
  std::optional<SeenStartFrame> start = {};
  std::optional<mpa::Deframer> deframer = {};
  FramingSoFar framing = {};
  Search search = {};
  Alignment alignment = {};
  Messages messages = {};
  Reads reads = {};
  RecentSegments recent = {};
  std::optional<SentTerminate> terminate = {};  // the latest
  StreamEnd end = {};
};

struct Connection {
  Agreed agreement;
  std::array<Direction, 2> directions{Direction{.side = Side::a}, Direction{.side = Side::b}};
  bool extensions = false;  // RFC 7306 is declared
  std::string partial;      // why not everything could be judged; empty if it could
  // Some octets of a side could not be decoded as segments. Rules that depend on them are judged for neither side.
  bool has_unread_segments = false;
  std::uint64_t messages = 0;

  Direction& of(Side side) { return directions[side == Side::a ? 0 : 1]; }
  const Direction& of(Side side) const { return directions[side == Side::a ? 0 : 1]; }
  Role role_of(Side side) const { return side == agreement.initiator ? Role::initiator : Role::responder; }
};

// The trace holds every octet of the connection so far, and each could be decoded.
inline bool all_is_known(const Connection& connection) {
  return connection.partial.empty() && !connection.agreement.is_assumed() && !connection.has_unread_segments;
}

// The octets of this side end within an FPDU so far. If that FPDU is wrong (a misplaced marker, for example), the other
// side may have decoded another one there and answered it.
inline bool ends_within_fpdu(const Direction& direction) {
  return direction.deframer && direction.deframer->pending() > 0;
}

// The evidence for the statement that `from` had not received something when it sent its last octets. Its
// acknowledgments may show what it had received; then the octets prove the statement.
inline Evidence evidence_of_lack(const Connection& connection, const Direction& from,
                                 Evidence otherwise = Evidence::absence) {
  return from.received_is_known && all_is_known(connection) ? Evidence::octets : otherwise;
}

}  // namespace wirelaw::rdmap
