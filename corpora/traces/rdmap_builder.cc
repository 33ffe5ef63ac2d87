// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/rdmap_builder.h"

#include <algorithm>

namespace wirelaw::corpora {
namespace {

constexpr std::uint16_t kMss = 1460;

}  // namespace

OctetBuffer pattern(std::size_t count, Octet first) {
  OctetBuffer octets(count);
  for (std::size_t i = 0; i < count; ++i) octets[i] = static_cast<Octet>(first + i);
  return octets;
}

void RdmapTraceBuilder::open() {
  for (const Side side : {Side::a, Side::b})
    messages_.push_back({.sender = side, .octets = {}, .event = StreamEvent::opened, .mss = kMss});
}

void RdmapTraceBuilder::start_frame(Side side, mpa::StartFrame frame, OctetBuffer private_data, const StartEdit& edit) {
  frame.private_data_length = static_cast<std::uint16_t>(private_data.size());
  frame.private_data = private_data;
  if (edit) edit(frame);
  octets(side, mpa::encode_start_frame(frame));
  frame.private_data = {};
  frames_[index(side)] = frame;
}

void RdmapTraceBuilder::request(const StartEdit& edit, OctetBuffer private_data) {
  start_frame(Side::a, {.key = mpa::key_of(mpa::FrameKind::request), .crc = true}, std::move(private_data), edit);
}

void RdmapTraceBuilder::reply(const StartEdit& edit, OctetBuffer private_data) {
  start_frame(Side::b, {.key = mpa::key_of(mpa::FrameKind::reply), .crc = true}, std::move(private_data), edit);
}

void RdmapTraceBuilder::start() {
  open();
  request();
  reply();
}

void RdmapTraceBuilder::enhanced_start(const EnhancedEdit& edit_request, const EnhancedEdit& edit_reply) {
  const auto enhanced = [](mpa::StartFrame& frame) { frame.revision = mpa::kRevision2, frame.enhanced = true; };
  const auto data = [](const EnhancedEdit& edit) {
    mpa::EnhancedData honest{.peer_to_peer = true, .ird = 4, .rtr_write = true, .ord = 4};
    if (edit) edit(honest);
    OctetBuffer octets;
    Writer(octets).big_endian(mpa::encode_enhanced(honest));
    return octets;
  };
  open();
  request(enhanced, data(edit_request));
  reply(enhanced, data(edit_reply));
  write(Side::a, {}, 0, 0);
}

void RdmapTraceBuilder::frame_with(Side side, bool markers, bool crc) {
  framers_[index(side)].emplace(markers, crc);
}

mpa::Framer& RdmapTraceBuilder::framer(Side side) {
  auto& mine = framers_[index(side)];
  if (!mine) {
    const auto& own = frames_[index(side)];
    const auto& peers = frames_[index(other(side))];
    mine.emplace(peers && peers->markers, (own && own->crc) || (peers && peers->crc));
  }
  return *mine;
}

void RdmapTraceBuilder::fpdu(Side side, Octets ulpdu, const Faults& faults) {
  last_ulpdu_.assign(ulpdu.begin(), ulpdu.end());
  OctetBuffer out;
  framer(side).frame(ulpdu, out, faults);
  octets(side, std::move(out));
}

void RdmapTraceBuilder::segment(Side side, const ddp::Header& header, Octets payload, const Faults& faults) {
  OctetBuffer ulpdu;
  ddp::encode(header, ulpdu);
  Writer(ulpdu).octets(payload);
  fpdu(side, ulpdu, faults);
}

ddp::Header RdmapTraceBuilder::untagged(Side side, rdmap::Opcode opcode) const {
  const rdmap::OpcodeRow* const row = rdmap::find_opcode(static_cast<std::uint8_t>(opcode));
  const std::uint32_t queue = row ? row->queue : 0;
  return {.last = true,
          .rsvd_ulp = rdmap::encode_control(rdmap::control_of(opcode)),
          .qn = queue,
          .msn = msn_[index(side)][queue & 3]};
}

ddp::Header RdmapTraceBuilder::tagged(rdmap::Opcode opcode, std::uint32_t stag, std::uint64_t to) {
  return {.tagged = true,
          .last = true,
          .rsvd_ulp = rdmap::encode_control(rdmap::control_of(opcode)),
          .stag = stag,
          .to = to};
}

void RdmapTraceBuilder::send(Side side, Octets payload, rdmap::Opcode opcode, std::uint32_t invalidate,
                             const HeaderEdit& edit, const Faults& faults) {
  ddp::Header header = untagged(side, opcode);
  header.rsvd_ulp_rest = invalidate;
  if (edit) edit(header);
  segment(side, header, payload, faults);
  numbered(side, rdmap::kSendQueue);
}

void RdmapTraceBuilder::write(Side side, Octets payload, std::uint32_t stag, std::uint64_t to, const HeaderEdit& edit,
                              const Faults& faults) {
  ddp::Header header = tagged(rdmap::Opcode::write, stag, to);
  if (edit) edit(header);
  segment(side, header, payload, faults);
}

void RdmapTraceBuilder::read_request(Side side, const rdmap::ReadRequest& request, const HeaderEdit& edit) {
  ddp::Header header = untagged(side, rdmap::Opcode::read_request);
  if (edit) edit(header);
  OctetBuffer payload;
  rdmap::encode(request, payload);
  segment(side, header, payload);
  numbered(side, rdmap::kReadRequestQueue);
}

void RdmapTraceBuilder::read_response(Side side, Octets payload, const rdmap::ReadRequest& request,
                                      const HeaderEdit& edit) {
  ddp::Header header = tagged(rdmap::Opcode::read_response, request.sink_stag, request.sink_to);
  if (edit) edit(header);
  segment(side, header, payload);
}

void RdmapTraceBuilder::read(Side requester, const rdmap::ReadRequest& request) {
  read_request(requester, request);
  read_response(other(requester), pattern(request.size), request);
}

void RdmapTraceBuilder::terminate(Side side, const rdmap::Terminate& terminate, const HeaderEdit& edit) {
  ddp::Header header = untagged(side, rdmap::Opcode::terminate);
  if (edit) edit(header);
  OctetBuffer payload;
  rdmap::encode(terminate, payload);
  segment(side, header, payload);
  numbered(side, rdmap::kTerminateQueue);
}

void RdmapTraceBuilder::immediate_data(Side side, Octets data, rdmap::Opcode opcode, const HeaderEdit& edit) {
  ddp::Header header = untagged(side, opcode);
  if (edit) edit(header);
  segment(side, header, data);
  numbered(side, rdmap::kSendQueue);
}

void RdmapTraceBuilder::atomic_request(Side side, const rdmap::AtomicRequest& request, const HeaderEdit& edit) {
  ddp::Header header = untagged(side, rdmap::Opcode::atomic_request);
  if (edit) edit(header);
  OctetBuffer payload;
  rdmap::encode(request, payload);
  segment(side, header, payload);
  numbered(side, rdmap::kReadRequestQueue);
}

void RdmapTraceBuilder::atomic_response(Side side, const rdmap::AtomicResponse& response, const HeaderEdit& edit) {
  ddp::Header header = untagged(side, rdmap::Opcode::atomic_response);
  if (edit) edit(header);
  OctetBuffer payload;
  rdmap::encode(response, payload);
  segment(side, header, payload);
  numbered(side, rdmap::kAtomicResponseQueue);
}

rdmap::Terminate RdmapTraceBuilder::blame_last(const rdmap::ErrorCode& error) const {
  rdmap::Terminate terminate{.error = error};
  const bool llp = error.layer == static_cast<std::uint8_t>(rdmap::Layer::llp);
  const auto segment = ddp::decode(last_ulpdu_);
  if (llp || error.etype == 0 || !segment) return terminate;
  terminate.has_length = terminate.has_ddp_header = true;
  terminate.ddp_segment_length = static_cast<std::uint16_t>(last_ulpdu_.size());
  terminate.ddp_header = Octets(last_ulpdu_).first(segment->header.octets());
  const bool protection = error.layer == 0 && error.etype == 1;
  if (protection && rdmap::decode_control(segment->header.rsvd_ulp).is(rdmap::Opcode::read_request)) {
    terminate.has_rdma_header = true;
    terminate.rdma_header = segment->payload.first(std::min(segment->payload.size(), rdmap::layout::kReadRequest));
  }
  return terminate;
}

void RdmapTraceBuilder::octets(Side side, OctetBuffer octets) {
  messages_.push_back({.sender = side, .octets = std::move(octets)});
}

void RdmapTraceBuilder::gap(Side side, std::uint64_t missing) {
  messages_.push_back({.sender = side, .octets = {}, .event = StreamEvent::gap, .missing = missing});
}

void RdmapTraceBuilder::close(Side side) {
  messages_.push_back({.sender = side, .octets = {}, .event = StreamEvent::closed});
}

void RdmapTraceBuilder::reset(Side side) {
  messages_.push_back({.sender = side, .octets = {}, .event = StreamEvent::reset});
}

}  // namespace wirelaw::corpora
