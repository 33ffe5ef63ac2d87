// SPDX-License-Identifier: Apache-2.0
// Facts that the tracker states about the start of MPA on a connection and about messages that never came. The checks
// of the sections decide rules from them.
//
// A fact is stated whenever its rules apply, whether or not they were obeyed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/rdmap/tracker/fpdu_facts.h"
#include "conformance/rdmap/tracker/segment_facts.h"
#include "conformance/trace.h"
#include "reference/mpa/start_frame.h"

namespace wirelaw::rdmap {

// The start frame that the other side has sent before.
struct StartFrameBefore {
  mpa::FrameKind kind = mpa::FrameKind::request;
  Message message = {};
  bool received_is_known = false;  // StreamPiece::received_is_known
};

struct StartFrameFact {
  mpa::StartFrame frame = {};
  bool is_from_start = false;  // everything that its sender sent before is known
  std::optional<StartFrameBefore> before = {};
};

// The key that a side had to begin with.
enum class DueKey : std::uint8_t {
  none,              // the connection requires no key
  request_of_iwarp,  // a Request, if the connection is meant to be iWARP: the side opened the connection
  request,
  reply,
};

struct NoStartFrameFact {
  DueKey due = DueKey::none;
  bool is_near = false;  // its octets resemble a key
};

// A side uses MPA although the other side's start frame had a wrong key.
struct WrongKeyFact {
  bool is_reply = false;  // the responder accepts the connection; otherwise the initiator sends an FPDU
};

// Did the sender of an incomplete start frame end its stream by itself?
enum class CutEnd : std::uint8_t {
  unsettled,  // something else may have ended it
  unproven,   // no other cause of the end was seen
  proven,     // likewise, and everything that it had received is known
};

struct CutStartFrameFact {
  Message frame = {};        // the octets of it that came
  std::size_t declared = 0;  // PD_Length
  std::size_t seen = 0;      // octets of private data
  CutEnd end = CutEnd::unsettled;
};

// The octets that the initiator sent after its Request and before the Reply; empty if it waited.
struct HeldFact {
  Message message = {};
  bool is_proven = false;  // it had received no Reply
};

struct StartFrames {
  mpa::StartFrame request = {};
  mpa::StartFrame reply = {};
};

struct AgreementFact {
  StartFrames frames = {};
  Message reply = {};
  std::optional<HeldFact> held = {};
};

// A Reply without a Request.
struct LoneReplyFact {
  Message reply = {};
  bool is_proven = false;  // its sender had received nothing
};

// States if the responder waited for the initiator's first FPDU.
struct ResponderOrderFact {
  Side responder = Side::b;
  bool is_enhanced = false;              // both start frames are
  std::optional<SeenOctets> early = {};  // what it sent before that FPDU; empty: it waited
};

// A message that was due and that a side never sent.
enum class Due : std::uint8_t {
  reply,                // the Reply to an MPA Request
  indication,           // the ready-to-receive indication (RFC 6581, 5)
  read_response,        // all or the rest of it
  atomic_response,      // RFC 7306, 5.2.1
  end_after_terminate,  // the end of the stream after a Terminate
};

struct SilenceFact {
  Due due = Due::reply;
  Message since = {};          // what made it due, without octets; its sender is the side that is silent
  std::uint64_t received = 0;  // octets received of the Read Response
};

// What a side sends after the connection has been rejected.
struct AfterRejectionFact {
  Role sender = Role::initiator;
  bool is_silent = true;  // it sends no FPDU
};

// The first octets of Full Operation in one direction.
struct FirstOctetsFact {
  Octets octets = {};
  bool is_marker_due = false;
  bool is_marker_there = false;
};

// An FPDU that came after a Terminate.
struct LastMessageFact {
  std::uint64_t terminate = 0;   // Message::index
  std::size_t octets_after = 0;  // octets of the first FPDU after it
};

// How the FPDUs of a side are aligned with TCP segments.
struct AlignmentFact {
  std::uint64_t fitting = 0;  // FPDUs that one segment could have held
  std::uint64_t split = 0;    // FPDUs that span more than one segment
};

// How a side has ended the connection.
struct TeardownFact {
  std::optional<bool> is_reset_alone = {};  // after a Terminate: only an RST of this side has ended it
  // Set if this side is the first to close in order, without a Terminate:
  std::optional<bool> is_message_open = {};
  std::optional<std::size_t> unanswered_reads = {};  // unanswered reads of the other side; empty: unknown
};

// Facts that the end of a side's stream shows.
struct EndFacts {
  bool is_closed = false;  // ended by a FIN
  std::optional<CutStartFrameFact> cut_start_frame = {};
  std::optional<AfterRejectionFact> after_rejection = {};
  std::optional<AlignmentFact> alignment = {};
  std::vector<MessageOrderFact> given_up = {};  // messages that still miss octets
  std::optional<LastMessageFact> last_message = {};
  std::optional<TeardownFact> teardown = {};
};

// Octets that follow a side's FIN.
struct AfterEndFact {
  std::size_t octets = 0;
};

// An FPDU that never came whole, or octets that were taken for one.
struct UnfinishedFpduFact {
  Message at = {};  // its place, without octets
  std::array<Octet, mpa::kLengthOctets + 2> octets = {};
  MulpduFact mulpdu = {};

  std::size_t ulpdu_length() const { return load_big_endian<std::uint16_t>(octets.data()); }
};

// The end of a direction that its side has closed by itself.
struct WholeFpdusFact {
  Message at = {};                     // the end of its stream, without octets
  std::size_t octets_of_the_last = 0;  // octets of an incomplete last FPDU
  bool is_proven = false;              // the trace cannot have missed a reason to stop
};

}  // namespace wirelaw::rdmap
