// SPDX-License-Identifier: Apache-2.0
// What the tracker says of how MPA is started on a connection, and of what never came: facts, on which the checks of
// the sections decide rules.
//
// A fact is there if its rules had their chance, whether or not they were kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "conformance/rdmap/tracker/connection.h"
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
  bool is_from_start = false;  // everything that its sender has sent is known
  std::optional<StartFrameBefore> before = {};
};

// The key that a side had to begin with.
enum class DueKey : std::uint8_t {
  none,              // nothing in the connection calls for one
  request_of_iwarp,  // it has made the connection, which may not be meant to be iWARP
  request,
  reply,
};

struct NoStartFrameFact {
  DueKey due = DueKey::none;
  bool is_near = false;  // its octets were meant to be a key
};

// Whether the sender of a start frame that is not whole ended its stream by itself.
enum class CutEnd : std::uint8_t {
  unsettled,  // something else may have ended it
  unproven,   // nothing is seen that would have ended it
  proven,     // and everything that it had received is known
};

struct CutStartFrameFact {
  std::size_t declared = 0;  // PD_Length
  std::size_t seen = 0;      // octets of private data
  CutEnd end = CutEnd::unsettled;
};

// What the initiator sent after its Request and before the Reply; no octets if it waited.
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

// A Reply to which no Request has ever come.
struct LoneReplyFact {
  Message reply = {};
  bool is_proven = false;  // its sender had received nothing
};

// Whether the responder waited for the initiator's first FPDU.
struct ResponderOrderFact {
  Side responder = Side::b;
  bool is_enhanced = false;              // both start frames are
  std::optional<SeenOctets> early = {};  // what it sent before; nothing: it waited
};

// What a side never sent.
enum class Due : std::uint8_t {
  reply,                // to the MPA Request
  indication,           // that all is ready to receive (RFC 6581, 5)
  read_response,        // or the rest of it
  end_after_terminate,  // the stream goes on after a Terminate
};

struct SilenceFact {
  Due due = Due::reply;
  Message since = {};          // what made it due, without octets; its sender is the side that is silent
  std::uint64_t received = 0;  // octets of the Read Response that have come
};

// What Full Operation begins with in a direction.
struct FirstOctetsFact {
  Octets octets = {};
  bool is_marker_due = false;
  bool is_marker_there = false;
};

// What came after a Terminate.
struct LastMessageFact {
  std::uint64_t terminate = 0;   // Message::index
  std::size_t octets_after = 0;  // of the first FPDU after it
};

// How the FPDUs of a side lie in the segments of TCP.
struct AlignmentFact {
  std::uint64_t fitting = 0;  // FPDUs that one segment could have held
  std::uint64_t astray = 0;   // those that lie in more than one
};

// How a side has ended the connection.
struct TeardownFact {
  std::optional<bool> is_reset_alone = {};  // after a Terminate: nothing but an RST of this side has ended it
  // If it is the first to close in order, with no Terminate that would say why:
  std::optional<bool> is_message_open = {};
  std::optional<std::size_t> unanswered_reads = {};  // of the other side; nothing: not known
};

// What the end of a side's stream shows.
struct EndFacts {
  bool is_closed = false;  // by a FIN
  std::optional<CutStartFrameFact> cut_start_frame = {};
  std::optional<wirelaw::Role> silent_after_rejection = {};  // the side that has sent no FPDU after it
  std::optional<AlignmentFact> alignment = {};
  std::optional<LastMessageFact> last_message = {};
  std::optional<TeardownFact> teardown = {};
};

// A side has closed its direction of its own accord.
struct WholeFpdusFact {
  Message at = {};                     // the end of its stream, without octets
  std::size_t octets_of_the_last = 0;  // of an FPDU that is not whole
  bool is_proven = false;              // nothing that made it stop may have been missed
};

}  // namespace wirelaw::rdmap
