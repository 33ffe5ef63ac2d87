// SPDX-License-Identifier: Apache-2.0
// A Terminate beside the segment that it blames, as the checks of RFC 5040 4.8, RFC 5041 7.2 and RFC 5044 8 see it.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "conformance/rdmap/tracker/seen.h"

namespace wirelaw::rdmap {

// The segment that a Terminate names in its terminated header.
struct Blamed {
  ddp::Header header;
  Control control;
  const OpcodeRow* row = nullptr;
  // The segment with this header, or the most alike where there is none; nullptr where nothing is alike. It lives as
  // long as the other direction keeps it.
  const RecentSegment* segment = nullptr;
  bool exact = false;  // its DDP header is that one, octet for octet
  bool begun = false;  // else: that of an FPDU which had not come whole

  bool is(Opcode opcode) const { return control.is(opcode); }
  bool invalidates() const { return is(Opcode::send_invalidate) || is(Opcode::send_se_invalidate); }
  // Figure 10: nothing else can cause a Remote Protection Error.
  bool may_cause_protection_error() const {
    return is(Opcode::read_request) || invalidates() || is(Opcode::atomic_request);
  }
  // Octets after the DDP header; nothing if the segment is not known.
  std::optional<std::size_t> payload_octets() const;
  // The Read Request as it was sent; nothing if it is another message or not known.
  std::optional<ReadRequest> read_request() const;
};

struct TerminateSeen {
  Seen& seen;
  Terminate terminate;
  std::size_t octets = 0;  // length of the Terminate header and all that follows
  // The control field was written as a little-endian host lays out bit fields; `terminate` holds what was meant.
  bool swapped = false;
  std::optional<Blamed> blamed;  // nothing if there is no terminated DDP header
  bool history = false;          // every segment that the Terminate could blame is known
  // The evidence of a check that asks what the sender of the Terminate had received.
  Evidence of_received = Evidence::absence;

  ErrorCode error() const { return terminate.error; }
  bool is(Layer layer) const { return terminate.error.layer == static_cast<std::uint8_t>(layer); }
  // The place of a field of the Terminate header.
  OctetRange at(std::size_t offset, std::size_t length) const { return field::rdmap(seen, offset, length); }
  OctetRange control() const { return at(layout::kTerminateControl, 3); }
  OctetRange layer_and_type() const { return at(layout::kTerminateControl, 1); }
  OctetRange code() const { return at(layout::kTerminateControl + 1, 1); }
  OctetRange header_control() const { return at(layout::kTerminateControl + 2, 1); }
  OctetRange segment_length() const { return at(layout::kDdpSegmentLength, layout::kDdpSegmentLengthOctets); }
  // The places of the terminated headers; the segment length is present if M or D is set.
  std::size_t headers_offset() const {
    return layout::kTerminate +
           (terminate.has_length || terminate.has_ddp_header ? layout::kDdpSegmentLengthOctets : 0);
  }
  OctetRange ddp_header() const { return at(headers_offset(), terminate.ddp_header.size()); }
  OctetRange rdma_header(std::size_t offset, std::size_t length) const {
    return at(headers_offset() + terminate.ddp_header.size() + offset, length);
  }
};

// Corrects the control field of a Terminate (`terminate` begins after its DDP header) that a little-endian host has
// laid out as bit fields. Returns false if it was correct. If the octets make full sense either way, as 20 05 00 00
// does, `likely` tells if the error that the bit fields mean had to be reported.
bool put_in_order(OctetBuffer& terminate, const std::function<bool(const ErrorCode& meant)>& likely);

// Nothing where fewer than four octets are there. `scratch` holds the octets where they had to be put in order.
std::optional<TerminateSeen> read_terminate(Seen& seen, OctetBuffer& scratch);

// --- the checks, in the order in which they are asked for
// terminate_header.cc: figures 7 and 8. False: it is cut, and what it holds cannot be judged.
// Returns true if a Terminate Header can be read from this segment.
bool judge_terminate_is_there(Judge& judge, const Seen& seen);
bool judge_terminate_header(Judge& judge, const TerminateSeen& seen);
void judge_terminated_headers(Judge& judge, const TerminateSeen& seen);
// error_codes.cc: figure 9. False: the code has no meaning that could be judged.
bool judge_error_code(Judge& judge, const TerminateSeen& seen);
void judge_rdma_error(Judge& judge, const TerminateSeen& seen);
// terminated_headers.cc: figure 10
void judge_mapping(Judge& judge, const TerminateSeen& seen);
// error_numbers.cc: RFC 5041, 7.2
bool judge_ddp_code(Judge& judge, const TerminateSeen& seen);
void judge_ddp_error(Judge& judge, const TerminateSeen& seen);
// mpa_error_codes.cc: RFC 5044, 8 and RFC 6581, 8
bool judge_llp_code(Judge& judge, const TerminateSeen& seen);
void judge_llp_error(Judge& judge, const TerminateSeen& seen);
// terminate.cc
void judge_terminate_room(Judge& judge, const TerminateSeen& seen);
void judge_single_terminate(Judge& judge, const Seen& seen);
void judge_last_message(Judge& judge, const Direction& from);
// teardown.cc
void judge_teardown(Judge& judge, const Connection& connection, const Direction& from);
// error_surfacing.cc
void judge_absent_headers(Judge& judge, const TerminateSeen& seen);

}  // namespace wirelaw::rdmap
