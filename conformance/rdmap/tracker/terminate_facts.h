// SPDX-License-Identifier: Apache-2.0
// States facts about Terminates, each compared with the segment that it blames. It judges nothing.
#pragma once

#include <functional>
#include <optional>

#include "conformance/rdmap/tracker/facts.h"
#include "conformance/rdmap/tracker/seen.h"

namespace wirelaw::rdmap {

// Has the segment that a Terminate blames been sent?
enum class Came : std::uint8_t {
  no,     // no segment with this DDP header was sent
  begun,  // an incomplete FPDU with this header was sent
  whole,  // a segment with exactly this DDP header was sent
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
  bool is_repeated = false;       // an earlier segment had the fault that the Terminate reports, too
  bool is_read_as_it_was = true;  // its octets as decoded contain no marker

  bool is(Opcode opcode) const { return control.is(opcode); }
  bool invalidates() const { return is(Opcode::send_invalidate) || is(Opcode::send_se_invalidate); }
  // Figure 10: no other message causes a Remote Protection Error.
  bool may_cause_protection_error() const {
    return is(Opcode::read_request) || invalidates() || is(Opcode::atomic_request);
  }
  // Returns true if the trace shows this fault of the segment.
  bool has_fault(const ErrorCode& error) const;
  // Octets after the DDP header, if the segment is known.
  std::optional<std::size_t> payload_octets() const;
  // The Read Request as it was sent; empty if it is no Read Request or is unknown.
  std::optional<ReadRequest> read_request() const;
};

// The contents of the start frames of an accepted connection that MPA's error codes refer to.
struct TerminatedStart {
  bool crc = false;
  bool markers = false;  // used in the direction that the Terminate is about
  struct Enhanced {
    mpa::EnhancedData request, reply;
    bool is_from_initiator = false;  // the Terminate was sent by the initiator
  };
  std::optional<Enhanced> enhanced = {};
};

// The contents of a Terminate.
struct TerminateFact {
  Terminate terminate = {};
  std::size_t octets = 0;  // octets of the Terminate header and everything after it
  // The control field was written as a little-endian host lays out bit fields; `terminate` holds the intended values.
  bool is_swapped = false;
  std::optional<BlamedFact> blamed = {};  // empty: it has no terminated DDP header
  bool is_history_known = false;          // every segment that the Terminate could blame is known
  // The evidence for checks that depend on what the sender of the Terminate had received.
  Evidence of_received = Evidence::absence;
  std::optional<TerminatedStart> start = {};  // empty: the start frames were not both seen
  bool is_unbroken = false;                   // the trace is complete so far
  bool has_extensions = false;                // RFC 7306 is declared
  bool is_length_known = false;               // a known segment has the DDP Segment Length
  bool is_any_short = false;                  // a known segment ends inside its headers

  ErrorCode error() const { return terminate.error; }
  bool is(Layer layer) const { return terminate.error.layer == static_cast<std::uint8_t>(layer); }
};

// A segment of a Terminate.
struct TerminateSegmentFact {
  std::optional<std::uint32_t> first_msn = {};  // MSN of a segment before which no other can have been sent
  bool is_whole = false;                        // the Terminate is in one segment
  std::size_t octets = 0;
  std::optional<TerminateFact> contents = {};  // set if the Terminate is in one segment and long enough
};

// Converts the control field of a Terminate (after its DDP header) to network order if a little-endian host wrote it as
// bit fields. Returns false if it was in order. If the octets are valid either way, such as 20 05 00 00, `likely`
// decides if the error that the bit fields mean was the one to report.
bool put_in_order(OctetBuffer& terminate, const std::function<bool(const ErrorCode& meant)>& likely);

// Called for an untagged segment of a Terminate. The fact refers to its octets, or to `scratch` if they had to be
// converted.
TerminateSegmentFact take_terminate(Seen& seen, OctetBuffer& scratch);

}  // namespace wirelaw::rdmap
