// SPDX-License-Identifier: Apache-2.0
// States facts about Terminates, each beside the segment that it blames. It judges nothing.
#pragma once

#include <functional>
#include <optional>

#include "conformance/rdmap/tracker/facts.h"
#include "conformance/rdmap/tracker/seen.h"

namespace wirelaw::rdmap {

// The segment that a Terminate is about.
enum class Came : std::uint8_t {
  no,     // no segment with its DDP header has
  begun,  // an FPDU with it, which had not come whole
  whole,  // its DDP header is that of a segment, octet for octet
};

// The segment that a Terminate blames, according to the terminated header that it carries.
struct BlamedFact {
  ddp::Header header = {};
  Control control = {};
  const OpcodeRow* row = nullptr;
  Came came = Came::no;
  // The segment with this header, or else the most similar one; empty if none is similar, or if it is unknown.
  std::optional<RecentSegment> segment = {};
  bool is_oldest = false;         // it is the oldest known segment
  std::uint64_t answered = 0;     // octets of the response that were sent, if it is a Read Request
  bool is_read_as_it_was = true;  // no marker may be in what was read of it

  bool is(Opcode opcode) const { return control.is(opcode); }
  bool invalidates() const { return is(Opcode::send_invalidate) || is(Opcode::send_se_invalidate); }
  // Figure 10: nothing else causes a Remote Protection Error.
  bool may_cause_protection_error() const {
    return is(Opcode::read_request) || invalidates() || is(Opcode::atomic_request);
  }
  // The trace shows this fault of the segment.
  bool has_fault(const ErrorCode& error) const;
  // Octets after the DDP header, if the segment is known.
  std::optional<std::size_t> payload_octets() const;
  // The Read Request as it was sent, if it is one and known.
  std::optional<ReadRequest> read_request() const;
};

// The contents of the start frames of an accepted connection that MPA's error codes refer to.
struct TerminatedStart {
  bool crc = false;
  bool markers = false;  // used in the direction that the Terminate is about
  struct Enhanced {
    mpa::EnhancedData request, reply;
    bool is_from_initiator = false;  // the Terminate is
  };
  std::optional<Enhanced> enhanced = {};
};

// The contents of a Terminate.
struct TerminateFact {
  Terminate terminate = {};
  std::size_t octets = 0;  // octets of the Terminate header and everything after it
  // The control field was written as a little-endian host lays out bit fields; `terminate` holds what was meant.
  bool is_swapped = false;
  std::optional<BlamedFact> blamed = {};  // nothing: no terminated DDP header is there
  bool is_history_known = false;          // every segment that the Terminate could blame is known
  // The evidence for checks that depend on what the sender of the Terminate had received.
  Evidence of_received = Evidence::absence;
  std::optional<TerminatedStart> start = {};  // nothing: both start frames were not seen
  bool is_unbroken = false;                   // the trace lacks nothing so far
  bool has_extensions = false;                // RFC 7306 is declared
  bool is_length_known = false;               // a segment of the DDP Segment Length is among those known
  bool is_any_short = false;                  // one of the segments known ends inside its headers

  ErrorCode error() const { return terminate.error; }
  bool is(Layer layer) const { return terminate.error.layer == static_cast<std::uint8_t>(layer); }
};

// A segment of a Terminate.
struct TerminateSegmentFact {
  std::optional<std::uint32_t> first_msn = {};  // MSN of a segment before which no other can have been sent
  bool is_whole = false;                        // the Terminate is in one segment
  std::size_t octets = 0;
  std::optional<TerminateFact> contents = {};  // if it is whole, and long enough
};

// Puts the control field of a Terminate (what is after its DDP header) in order, if a little-endian host has laid it
// out as bit fields. False: it was in order. `likely` is asked if the octets make full sense either way, as 20 05 00 00
// does: whether the error that the bit fields mean is what had to be reported.
bool put_in_order(OctetBuffer& terminate, const std::function<bool(const ErrorCode& meant)>& likely);

// An untagged segment of a Terminate has come, at `time_ns`. The fact refers to its octets, or to `scratch` if they had
// to be put in order.
TerminateSegmentFact take_terminate(Seen& seen, std::int64_t time_ns, OctetBuffer& scratch);

}  // namespace wirelaw::rdmap
