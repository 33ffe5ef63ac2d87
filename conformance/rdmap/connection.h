// SPDX-License-Identifier: Apache-2.0
// What an observer remembers of one iWARP connection: how MPA was started, and for each direction where framing,
// messages and reads stand. Everything here is bounded, whatever the peers send.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "conformance/trace.h"
#include "reference/mpa/deframer.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::rdmap {

// A start frame with octets of its own.
struct SeenStartFrame {
  OctetBuffer octets;
  std::uint64_t index = 0;  // of the message in the flow
  std::uint64_t frame = 0;  // in the capture

  mpa::StartFrame decoded() const { return *mpa::decode_start_frame(octets); }
};

// What the two start frames settle (RFC 5044, 7.1; RFC 6581, 9).
struct Agreement {
  bool reached = false;  // an accepting reply has been seen
  bool assumed = false;  // the start was not seen: no markers, and CRCs where they prove themselves
  Side initiator = Side::a;
  bool crc = true;
  std::array<bool, 2> markers{};  // by Side: in what this side sends
  std::uint8_t revision = 1;
  std::optional<mpa::EnhancedData> request, reply;

  bool enhanced() const { return request && reply; }
};

// The message of a queue, or the tagged message, that has begun and has not seen its last segment.
struct OpenMessage {
  bool open = false;
  Control control;
  std::uint32_t rsvd_ulp_rest = 0;
  std::uint32_t stag = 0;    // tagged
  std::uint64_t next = 0;    // MO or TO of the octet that is due
  std::uint64_t octets = 0;  // of payload so far
  std::uint64_t begun = 0;   // index of its first message (FPDU)
};

// An untagged queue in one direction.
struct Queue {
  std::uint32_t next_msn = ddp::kFirstMsn;
  bool known = true;  // false: the trace began behind the first message, or lost some
  OpenMessage message;
};
inline constexpr std::size_t kQueues = 4;  // 0 to 2, and 3 by RFC 7306

// A Read Request that waits for its response, kept by the requester's direction.
struct OutstandingRead {
  ReadRequest request;
  bool atomic = false;  // RFC 7306: a response of queue 3 is due instead
  std::uint32_t identifier = 0;
  std::uint64_t received = 0;  // octets of the response so far
  std::uint64_t index = 0;     // of the request's FPDU
};
inline constexpr std::size_t kMaxOutstandingReads = 0x4000;  // 14 bits, RFC 6581 9: more are not remembered

// What is kept of a segment so that a Terminate that blames it can be compared with it.
struct RecentSegment {
  std::uint64_t index = 0;  // of the FPDU
  std::uint64_t frame = 0;
  std::uint16_t ulpdu_length = 0;
  std::uint8_t header_octets = 0;  // of what was there of DDP and RDMAP header
  std::array<Octet, ddp::layout::kUntagged + layout::kReadRequest> header{};
  // What the trace itself shows to be wrong with it: the errors that a receiver may answer. Empty: nothing seen.
  std::array<ErrorCode, 3> faults{};
  std::uint8_t fault_count = 0;
};
inline constexpr std::size_t kRecentSegments = 64;

enum class Phase : std::uint8_t {
  startup,   // its start frame is not whole yet
  waiting,   // its start frame is whole, the other one is not
  full,      // Full Operation
  lost,      // octets are missing, and where the next FPDU begins is not known
  rejected,  // MPA has been left by a rejection
  over,      // closed, reset, or not iWARP
};

// One direction: what one side sends.
struct Direction {
  Side side = Side::a;
  Phase phase = Phase::startup;
  std::uint16_t mss = 0;      // that the other side announced: the limit of what this side sends; 0 unknown
  std::uint64_t full_at = 0;  // stream offset where Full Operation begins
  OctetBuffer held;           // startup, waiting: octets that cannot be understood yet
  std::optional<SeenStartFrame> start;
  std::optional<mpa::Deframer> deframer;
  std::uint64_t fpdus = 0;
  bool crc_seen_to_hold = false;

  std::array<Queue, kQueues> queues{};
  OpenMessage tagged;
  std::uint64_t tagged_messages = 0;

  std::deque<OutstandingRead> reads;  // requested by this side
  std::uint64_t reads_forgotten = 0;

  std::deque<RecentSegment> recent;
  bool terminate_sent = false;
  std::uint64_t terminate_index = 0;
  bool sent_after_terminate = false;  // and that has been said
  bool ended = false;                 // how it ended has been judged
  bool closed = false, reset = false;
};

struct Connection {
  Agreement agreement;
  std::array<Direction, 2> directions{Direction{.side = Side::a}, Direction{.side = Side::b}};
  bool extensions = false;  // RFC 7306 is declared
  std::string partial;      // why not everything could be judged; empty where it could
  std::uint64_t messages = 0;

  Direction& of(Side side) { return directions[side == Side::a ? 0 : 1]; }
  const Direction& of(Side side) const { return directions[side == Side::a ? 0 : 1]; }
  Role role_of(Side side) const { return side == agreement.initiator ? Role::initiator : Role::responder; }
};

}  // namespace wirelaw::rdmap
