// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/language.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/rdmap/framing.h"
#include "conformance/rdmap/speech.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/advertisement.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::rdmap {
namespace {

using script::FieldKind;
using script::FieldRow;
using script::IdUse;
using script::Located;

constexpr FieldKind kBound = FieldKind::bound, kDerived = FieldKind::derived, kFree = FieldKind::free;
constexpr bool kHex = true;
constexpr IdUse kNoId = IdUse::none, kOffers = IdUse::offers, kUses = IdUse::uses;

// RFC 5044, 7.1.1; S by RFC 6581, 6.
constexpr FieldRow kStartFrame[] = {
    {"key", mpa::layout::kKey, 16, 0, 0},
    {"marker_flag", mpa::layout::kFlags, 1, 7, 1},
    {"crc_flag", mpa::layout::kFlags, 1, 6, 1},
    {"rej_flag", mpa::layout::kFlags, 1, 5, 1},
    {"enhanced_flag", mpa::layout::kFlags, 1, 4, 1},
    {"res", mpa::layout::kFlags, 1, 0, 4},
    {"rev", mpa::layout::kRevision, 1, 0, 8},
    {"pdlength", mpa::layout::kPrivateDataLength, 2, 0, 16, kDerived},
};
// RFC 6581, 9: at the head of the private data.
constexpr FieldRow kEnhanced[] = {
    {"control_flag_a", mpa::layout::kStartFrame, 2, 15, 1},
    {"control_flag_b", mpa::layout::kStartFrame, 2, 14, 1},
    {"ird", mpa::layout::kStartFrame, 2, 0, 14},
    {"control_flag_c", mpa::layout::kStartFrame + 2, 2, 15, 1},
    {"control_flag_d", mpa::layout::kStartFrame + 2, 2, 14, 1},
    {"ord", mpa::layout::kStartFrame + 2, 2, 0, 14},
};
// RFC 5041, 4.1, and the control field of RFC 5040, 4.1.
constexpr FieldRow kControl[] = {
    {"tagged", ddp::layout::kControl, 1, 7, 1},  {"last", ddp::layout::kControl, 1, 6, 1},
    {"rsvd", ddp::layout::kControl, 1, 2, 4},    {"dv", ddp::layout::kControl, 1, 0, 2},
    {"version", ddp::layout::kRsvdUlp, 1, 6, 2}, {"rsv", ddp::layout::kRsvdUlp, 1, 4, 2},
    {"opcode", ddp::layout::kRsvdUlp, 1, 0, 4},
};
constexpr FieldRow kTagged[] = {
    {"stag", ddp::layout::kStag, 4, 0, 32, kBound, kHex, kUses},
    {"tagged_offset", ddp::layout::kTo, 8, 0, 64, kBound, kHex, kNoId, "stag"},
};
constexpr FieldRow kUntagged[] = {
    {"inval_stag", ddp::layout::kRsvdUlpRest, 4, 0, 32, kBound, kHex, kUses},
    {"qn", ddp::layout::kQn, 4, 0, 32},
    {"msn", ddp::layout::kMsn, 4, 0, 32},
    {"mo", ddp::layout::kMo, 4, 0, 32},
};
// The headers of RDMAP, from after the DDP header.
constexpr FieldRow kReadRequest[] = {
    {"sinkstag", layout::kSinkStag, 4, 0, 32, kBound, kHex, kOffers},
    {"sinkto", layout::kSinkTo, 8, 0, 64, kBound, kHex, kNoId, "sinkstag"},
    {"rdmardsz", layout::kReadSize, 4, 0, 32},
    {"srcstag", layout::kSourceStag, 4, 0, 32, kBound, kHex, kUses},
    {"srcto", layout::kSourceTo, 8, 0, 64, kBound, kHex, kNoId, "srcstag"},
};
constexpr FieldRow kTerminate[] = {
    {"layer", layout::kTerminateControl, 4, 28, 4},
    {"etype", layout::kTerminateControl, 4, 24, 4},
    {"errcode", layout::kTerminateControl, 4, 16, 8, kFree, kHex},
    {"hdrct_m", layout::kTerminateControl, 4, 15, 1},
    {"hdrct_d", layout::kTerminateControl, 4, 14, 1},
    {"hdrct_r", layout::kTerminateControl, 4, 13, 1},
    {"term_rsvd", layout::kTerminateControl, 4, 0, 13},
};
constexpr FieldRow kAtomicRequest[] = {
    {"atomic.reserved", layout::kAtomicOpcode, 4, 4, 28},
    {"atomic.opcode", layout::kAtomicOpcode, 4, 0, 4},
    {"atomic.request_identifier", layout::kAtomicIdentifier, 4, 0, 32, kBound},
    {"atomic.remote_stag", layout::kAtomicStag, 4, 0, 32, kBound, kHex, kUses},
    {"atomic.remote_tagged_offset", layout::kAtomicTo, 8, 0, 64, kBound, kHex, kNoId, "atomic.remote_stag"},
    {"atomic.data", layout::kAtomicData, 8, 0, 64},
    {"atomic.data_mask", layout::kAtomicDataMask, 8, 0, 64, kFree, kHex},
    {"atomic.compare_data", layout::kAtomicCompare, 8, 0, 64},
    {"atomic.compare_mask", layout::kAtomicCompareMask, 8, 0, 64, kFree, kHex},
};
constexpr FieldRow kAtomicResponse[] = {
    {"atomic.original_request_identifier", layout::kOriginalIdentifier, 4, 0, 32, kBound},
    {"atomic.original_remote_data_value", layout::kOriginalValue, 8, 0, 64},
};

struct HeaderRow {
  Opcode opcode;
  std::span<const FieldRow> fields;
  std::size_t octets;
};
constexpr HeaderRow kHeaders[] = {
    {Opcode::read_request, kReadRequest, layout::kReadRequest},
    {Opcode::terminate, kTerminate, layout::kTerminate},
    {Opcode::atomic_request, kAtomicRequest, layout::kAtomicRequest},
    {Opcode::atomic_response, kAtomicResponse, layout::kAtomicResponse},
};

struct NameRow {
  Opcode opcode;
  script::MessageRow message;
};
constexpr NameRow kNames[] = {
    {Opcode::send, {"Send", "sends octets into the peer's next receive buffer"}},
    {Opcode::send_invalidate, {"SendInvalidate", "a Send that invalidates an STag of the peer"}},
    {Opcode::send_se, {"SendSE", "a Send with a solicited event"}},
    {Opcode::send_se_invalidate, {"SendSEInvalidate", "a Send with a solicited event that invalidates an STag"}},
    {Opcode::write, {"Write", "puts octets into the peer's tagged buffer"}},
    {Opcode::read_request, {"ReadRequest", "asks for octets of the peer's tagged buffer"}},
    {Opcode::read_response, {"ReadResponse", "brings the octets that a ReadRequest has asked for"}},
    {Opcode::terminate, {"Terminate", "reports an error and ends the stream"}},
    {Opcode::immediate_data, {"ImmediateData", "eight octets for the peer (RFC 7306)"}},
    {Opcode::immediate_data_se, {"ImmediateDataSE", "the same with a solicited event"}},
    {Opcode::atomic_request, {"AtomicRequest", "asks for an atomic operation (RFC 7306)"}},
    {Opcode::atomic_response, {"AtomicResponse", "the value before the atomic operation"}},
};
constexpr script::MessageRow kStartFrames[] = {
    {"MpaRequest", "the initiator's start frame"},
    {"MpaReply", "the responder's start frame"},
};
constexpr script::MessageRow kWishes[] = {
    {"size", "octets of payload, which count upwards; of a start frame: of private data"},
    {"payload", "the octets of the payload, or of the private data"},
};
constexpr script::Greeting kGreetings[] = {{Side::a, "MpaRequest"}, {Side::b, "MpaReply"}};

void add_payload(std::size_t at, Octets message, std::vector<Located>& fields) {
  if (at < message.size()) fields.push_back({.name = "payload", .offset = at, .length = message.size() - at});
}

// The buffers that private data advertises (reference/rdmap/advertisement.h).
void add_buffers(std::size_t at, Octets message, std::vector<Located>& fields) {
  const auto buffers = decode_advertisement(message.subspan(at));
  at += kAdvertisementMagic.size();
  for (std::size_t i = 0; buffers && i < buffers->size(); ++i, at += kAdvertisedBuffer) {
    fields.push_back({fmt::format("buffer[{}].stag", i), at, 4, 0, 32, kBound, kHex, false, kOffers});
    fields.push_back({fmt::format("buffer[{}].to", i), at + 4, 8, 0, 64, kBound, kHex, false, kNoId,
                      fmt::format("buffer[{}].stag", i)});
    fields.push_back({fmt::format("buffer[{}].length", i), at + 12, 4, 0, 32, kFree});
  }
}

std::vector<Located> locate_start_frame(Octets message) {
  std::vector<Located> fields;
  add_fields(kStartFrame, 0, message, fields);
  if (message.size() < mpa::layout::kStartFrame) return fields;
  std::size_t at = mpa::layout::kStartFrame;
  const bool is_enhanced =
      (message[mpa::layout::kFlags] & 0x10) != 0 && message[mpa::layout::kRevision] >= mpa::kRevision2;
  if (is_enhanced && message.size() >= at + mpa::layout::kEnhanced) {
    add_fields(kEnhanced, 0, message, fields);
    at += mpa::layout::kEnhanced;
  }
  add_payload(at, message, fields);
  add_buffers(at, message, fields);
  return fields;
}

// The ids in a header that a Terminate quotes. Their names begin with that of the header: "ddp_h.stag".
void add_quoted_ids(std::string_view header, std::span<const FieldRow> rows, std::size_t at, std::size_t octets,
                    std::vector<Located>& fields) {
  for (const FieldRow& row : rows)
    if (row.kind == kBound && row.offset + row.length <= octets)
      fields.push_back({fmt::format("{}.{}", header, row.name), at + row.offset, row.length, row.shift, row.bits,
                        row.kind, row.is_hex});
}

// The octets after the fixed part of a Terminate.
void add_terminated(std::size_t at, Octets message, std::vector<Located>& fields) {
  const auto terminate = decode_terminate(message.subspan(at));
  if (!terminate || terminate->length_missing) return add_payload(at + layout::kTerminate, message, fields);
  at += layout::kTerminate;
  if (terminate->has_length || terminate->has_ddp_header) {
    fields.push_back({"ddp_seg_len", at, layout::kDdpSegmentLengthOctets, 0, 16});
    at += layout::kDdpSegmentLengthOctets;
  }
  const auto add = [&](std::string_view name, Octets header, std::span<const FieldRow> rows) {
    if (!header.empty()) fields.push_back({.name = std::string(name), .offset = at, .length = header.size()});
    add_quoted_ids(name, rows, at, header.size(), fields);
    at += header.size();
  };
  const Octets ddp = terminate->ddp_header;
  const bool is_tagged = !ddp.empty() && (ddp[ddp::layout::kControl] & 0x80) != 0;
  add("ddp_h", ddp, is_tagged ? std::span<const FieldRow>(kTagged) : kUntagged);
  add("rdma_h", terminate->rdma_header, kReadRequest);
  add_payload(at, message, fields);
}

}  // namespace

std::vector<Located> locate_fields(Octets message) {
  if (is_start_frame(message)) return locate_start_frame(message);
  std::vector<Located> fields;
  add_fields(kControl, 0, message, fields);
  if (message.empty()) return fields;
  const bool is_tagged = (message[ddp::layout::kControl] & 0x80) != 0;
  if (is_tagged)
    add_fields(kTagged, 0, message, fields);
  else
    add_fields(kUntagged, 0, message, fields);
  const auto segment = ddp::decode(message);
  if (!segment) return fields;
  const std::size_t at = segment->header.octets();
  const Control control = decode_control(segment->header.rsvd_ulp);
  const auto header = std::ranges::find_if(kHeaders, [&](const HeaderRow& row) { return control.is(row.opcode); });
  const bool is_first = is_tagged || segment->header.mo == 0;
  if (header == std::end(kHeaders) || !is_first || segment->payload.size() < header->octets) {
    add_payload(at, message, fields);
    return fields;
  }
  add_fields(header->fields, at, message, fields);
  if (header->opcode == Opcode::terminate)
    add_terminated(at, message, fields);
  else
    add_payload(at + header->octets, message, fields);
  return fields;
}

// A segment of an opcode that is reserved, or of the other model, is a Send or Write with that opcode.
std::string_view name_of_message(Octets message) {
  if (is_start_frame(message)) return is_reply(message) ? "MpaReply" : "MpaRequest";
  const auto segment = ddp::decode(message);
  if (!segment) return {};
  const OpcodeRow* const row = find_opcode(decode_control(segment->header.rsvd_ulp).opcode);
  if (row == nullptr || row->tagged != segment->header.tagged) return segment->header.tagged ? "Write" : "Send";
  return std::ranges::find(kNames, row->opcode, &NameRow::opcode)->message.name;
}

std::span<const script::MessageRow> script_messages() {
  static const std::vector<script::MessageRow> kAll = [] {
    std::vector<script::MessageRow> all(std::begin(kStartFrames), std::end(kStartFrames));
    for (const NameRow& row : kNames) all.push_back(row.message);
    return all;
  }();
  return kAll;
}

std::optional<Opcode> opcode_named(std::string_view message) {
  for (const NameRow& row : kNames)
    if (row.message.name == message) return row.opcode;
  return std::nullopt;
}

constinit const script::Language kLanguage{.messages = script_messages,
                                           .wishes = kWishes,
                                           .greetings = kGreetings,
                                           .big_endian = true,
                                           .locate = locate_fields,
                                           .name_of = name_of_message,
                                           .speech = make_speech,
                                           .framing = make_framing,
                                           .layers = kLayers};

}  // namespace wirelaw::rdmap
