// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/decode_message.h"

#include "reference/ddp/errors.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::rdmap {
namespace {

void add_ddp_header(const ddp::Header& header, std::size_t at, FieldList& fields) {
  using namespace ddp::layout;
  fields.flag("iwarp_ddp.tagged_flag", header.tagged, at + kControl);
  fields.flag("iwarp_ddp.last_flag", header.last, at + kControl);
  fields.hex("iwarp_ddp.rsvd", header.reserved, at + kControl, 1);
  fields.number("iwarp_ddp.dv", header.version, at + kControl, 1);
  if (header.tagged) {
    fields.hex("iwarp_ddp.stag", header.stag, at + kStag, 4);
    fields.hex("iwarp_ddp.tagged_offset", header.to, at + kTo, 8);
  } else {
    fields.bytes("iwarp_ddp.rsvdulp", at + kRsvdUlp, 5);
    fields.number("iwarp_ddp.qn", header.qn, at + kQn, 4);
    fields.number("iwarp_ddp.msn", header.msn, at + kMsn, 4);
    fields.number("iwarp_ddp.mo", header.mo, at + kMo, 4);
  }
}

void add_control(const ddp::Header& header, const Control& control, const OpcodeRow* row, std::size_t at,
                 FieldList& fields) {
  using namespace ddp::layout;
  fields.number("iwarp_rdma.version", control.version, at + kRsvdUlp, 1);
  fields.hex("iwarp_rdma.rsv", control.reserved, at + kRsvdUlp, 1);
  fields.hex("iwarp_rdma.opcode", control.opcode, at + kRsvdUlp, 1, row ? row->name : "reserved");
  if (header.tagged) return;
  if (row && row->invalidate_stag)
    fields.number("iwarp_rdma.inval_stag", header.rsvd_ulp_rest, at + kRsvdUlpRest, 4);
  else
    fields.bytes("iwarp_rdma.reserved", at + kRsvdUlpRest, 4);
}

void add_read_request(const ReadRequest& request, std::size_t at, FieldList& fields) {
  fields.hex("iwarp_rdma.sinkstag", request.sink_stag, at + layout::kSinkStag, 4);
  fields.hex("iwarp_rdma.sinkto", request.sink_to, at + layout::kSinkTo, 8);
  fields.number("iwarp_rdma.rdmardsz", request.size, at + layout::kReadSize, 4);
  fields.hex("iwarp_rdma.srcstag", request.source_stag, at + layout::kSourceStag, 4);
  fields.hex("iwarp_rdma.srcto", request.source_to, at + layout::kSourceTo, 8);
}

void add_atomic_request(const AtomicRequest& request, std::size_t at, FieldList& fields) {
  const std::uint8_t opcode = atomic_opcode(request);
  const bool adds = opcode == kFetchAdd;
  const std::string_view name = adds ? "FetchAdd" : opcode == kCmpSwap ? "CmpSwap" : "reserved";
  fields.number("iwarp_rdma.atomic.reserved", request.reserved_and_opcode >> 4, at + layout::kAtomicOpcode, 4);
  fields.number("iwarp_rdma.atomic.opcode", opcode, at + layout::kAtomicOpcode, 4, name);
  fields.number("iwarp_rdma.atomic.request_identifier", request.request_identifier, at + layout::kAtomicIdentifier, 4);
  fields.number("iwarp_rdma.atomic.remote_stag", request.stag, at + layout::kAtomicStag, 4);
  fields.number("iwarp_rdma.atomic.remote_tagged_offset", request.to, at + layout::kAtomicTo, 8);
  fields.number(adds ? "iwarp_rdma.atomic.add_data" : "iwarp_rdma.atomic.swap_data", request.data,
                at + layout::kAtomicData, 8);
  fields.hex(adds ? "iwarp_rdma.atomic.add_mask" : "iwarp_rdma.atomic.swap_mask", request.data_mask,
             at + layout::kAtomicDataMask, 8);
  if (adds) return;
  fields.number("iwarp_rdma.atomic.compare_data", request.compare, at + layout::kAtomicCompare, 8);
  fields.hex("iwarp_rdma.atomic.compare_mask", request.compare_mask, at + layout::kAtomicCompareMask, 8);
}

void add_atomic_response(const AtomicResponse& response, std::size_t at, FieldList& fields) {
  fields.number("iwarp_rdma.atomic.original_request_identifier", response.request_identifier,
                at + layout::kOriginalIdentifier, 4);
  fields.number("iwarp_rdma.atomic.original_remote_data_value", response.original_value, at + layout::kOriginalValue,
                8);
}

// Wireshark has a field for each table of codes.
std::string_view code_field(const ErrorCode& error) {
  switch (error.layer) {
    case static_cast<std::uint8_t>(Layer::rdma):
      return error.etype == 0 ? "iwarp_rdma.term_errcode" : "iwarp_rdma.term_errcode_rdma";
    case static_cast<std::uint8_t>(Layer::ddp):
      if (error.etype == static_cast<std::uint8_t>(ddp::ErrorType::tagged_buffer))
        return "iwarp_rdma.term_errcode_ddp_tagged";
      if (error.etype == static_cast<std::uint8_t>(ddp::ErrorType::untagged_buffer))
        return "iwarp_rdma.term_errcode_ddp_untagged";
      return "iwarp_rdma.term_errcode";
    case static_cast<std::uint8_t>(Layer::llp):
      return "iwarp_rdma.term_errcode_llp";
    default:
      return "iwarp_rdma.term_errcode";
  }
}

void add_terminate(const Terminate& terminate, std::size_t at, FieldList& fields) {
  constexpr std::string_view kLayers[] = {"RDMA", "DDP", "LLP"};
  constexpr std::string_view kTypeFields[] = {"iwarp_rdma.term_etype_rdma", "iwarp_rdma.term_etype_ddp",
                                              "iwarp_rdma.term_etype_llp"};
  const ErrorCode& error = terminate.error;
  const bool known = error.layer < std::size(kLayers);
  const ErrorRow* const row = find_error(error);
  fields.hex("iwarp_rdma.term_layer", error.layer, at, 1, known ? kLayers[error.layer] : "reserved");
  fields.hex(known ? kTypeFields[error.layer] : "iwarp_rdma.term_etype", error.etype, at, 1,
             row ? row->type_name : std::string_view());
  fields.hex(code_field(error), error.code, at + 1, 1, row ? row->name : std::string_view());
  fields.flag("iwarp_rdma.term_hdrct_m", terminate.has_length, at + 2);
  fields.flag("iwarp_rdma.hdrct_d", terminate.has_ddp_header, at + 2);
  fields.flag("iwarp_rdma.hdrct_r", terminate.has_rdma_header, at + 2);
  fields.hex("iwarp_rdma.term_rsvd", terminate.reserved, at + 2, 2);
  std::size_t next = at + layout::kTerminate;
  const auto add = [&](std::string_view name, std::size_t length) {
    if (length > 0) fields.bytes(name, next, length);
    next += length;
  };
  if (terminate.has_length || terminate.has_ddp_header)
    add("iwarp_rdma.term_ddp_seg_len", layout::kDdpSegmentLengthOctets);
  add("iwarp_rdma.term_ddp_h", terminate.ddp_header.size());
  add("iwarp_rdma.term_rdma_h", terminate.rdma_header.size());
  add("data.data", terminate.tail.size());
}

// Decodes the RDMAP header or the payload, with the parts for the summary.
DecodedSegment decode_payload(const ddp::Segment& segment, const Control& control, std::size_t at, FieldList& fields) {
  const Octets payload = segment.payload;
  const bool first = segment.header.tagged || segment.header.mo == 0;
  const auto is = [&](Opcode opcode) { return first && control.is(opcode); };
  std::size_t header = 0;
  DecodedSegment said;
  if (is(Opcode::read_request)) {
    const auto request = decode_read_request(payload);
    if (!request) return {.summary = {}, .error = "the Read Request Header takes 28 octets"};
    header = layout::kReadRequest;
    add_read_request(*request, at, fields);
    said.summary = fmt::format(" {} octets from 0x{:08x}+0x{:x} to 0x{:08x}+0x{:x}", request->size,
                               request->source_stag, request->source_to, request->sink_stag, request->sink_to);
  } else if (is(Opcode::terminate)) {
    const auto terminate = decode_terminate(payload);
    if (!terminate) return {.summary = {}, .error = "the Terminate Header takes 4 octets"};
    add_terminate(*terminate, at, fields);
    return {.summary = " " + to_string(terminate->error),
            .error = terminate->cut ? "it ends inside what its header control bits announce" : ""};
  } else if (is(Opcode::atomic_request)) {
    const auto request = decode_atomic_request(payload);
    if (!request) return {.summary = {}, .error = "the Atomic Request Header takes 52 octets"};
    header = layout::kAtomicRequest;
    add_atomic_request(*request, at, fields);
    said.summary = fmt::format(" request {}", request->request_identifier);
  } else if (is(Opcode::atomic_response)) {
    const auto response = decode_atomic_response(payload);
    if (!response) return {.summary = {}, .error = "the Atomic Response Header takes 12 octets"};
    header = layout::kAtomicResponse;
    add_atomic_response(*response, at, fields);
    said.summary = fmt::format(" request {}", response->request_identifier);
  }
  if (payload.size() > header) fields.bytes("data.data", at + header, payload.size() - header);
  return said;
}

}  // namespace

DecodedSegment decode_segment(Octets ulpdu, std::size_t at, FieldList& fields) {
  const auto segment = ddp::decode(ulpdu);
  if (!segment)
    return {.summary = fmt::format("ULPDU of {} octets", ulpdu.size()),
            .error = fmt::format("a DDP header takes {} octets", segment.error().needed)};
  const ddp::Header& header = segment->header;
  const Control control = decode_control(header.rsvd_ulp);
  const OpcodeRow* const row = find_opcode(control.opcode);
  add_ddp_header(header, at, fields);
  add_control(header, control, row, at, fields);
  DecodedSegment decoded = decode_payload(*segment, control, at + header.octets(), fields);
  std::string name = row ? std::string(row->name) : fmt::format("Reserved opcode {}", control.opcode);
  name += header.last ? " [last DDP segment]" : " [more DDP segments]";
  name += header.tagged ? fmt::format(" STag 0x{:08x} TO 0x{:x}", header.stag, header.to)
                        : fmt::format(" queue {} MSN {} MO {}", header.qn, header.msn, header.mo);
  decoded.summary = fmt::format("{}{} payload {}", name, decoded.summary, segment->payload.size());
  return decoded;
}

}  // namespace wirelaw::rdmap
