// SPDX-License-Identifier: Apache-2.0
// One ULPDU of each kind, and streams of them in each framing.
#include "corpora/formats/mpa_stream.h"
#include "corpora/seed.h"
#include "reference/mpa/framer.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::corpora {
namespace {

namespace control = mpa_control;
using rdmap::Opcode;

constexpr rdmap::ReadRequest kRead{
    .sink_stag = 0x1122, .sink_to = 0x1000, .size = 64, .source_stag = 0x3344, .source_to = 0x2000};

OctetBuffer counting(std::size_t count) {
  OctetBuffer octets(count);
  for (std::size_t i = 0; i < count; ++i) octets[i] = static_cast<Octet>(i);
  return octets;
}

OctetBuffer segment(Opcode opcode, Octets payload, std::uint32_t msn = ddp::kFirstMsn, bool last = true,
                    std::uint32_t offset = 0) {
  const rdmap::OpcodeRow& row = *rdmap::find_opcode(static_cast<std::uint8_t>(opcode));
  ddp::Header header{.tagged = row.tagged, .last = last, .rsvd_ulp = rdmap::encode_control(rdmap::control_of(opcode))};
  if (row.tagged) {
    header.stag = kRead.sink_stag;
    header.to = kRead.sink_to + offset;
  } else {
    header.rsvd_ulp_rest = row.invalidate_stag ? kRead.source_stag : 0;
    header.qn = row.queue;
    header.msn = msn;
    header.mo = offset;
  }
  OctetBuffer out;
  ddp::encode(header, out);
  out.insert(out.end(), payload.begin(), payload.end());
  return out;
}

OctetBuffer read_request(std::uint32_t msn) {
  OctetBuffer header;
  rdmap::encode(kRead, header);
  return segment(Opcode::read_request, header, msn);
}

// A Terminate for `ulpdu`.
OctetBuffer terminate(const rdmap::ErrorCode& error, Octets ulpdu) {
  rdmap::Terminate message{.error = error};
  if (const auto blamed = ddp::decode(ulpdu)) {
    message.has_length = message.has_ddp_header = true;
    message.ddp_segment_length = static_cast<std::uint16_t>(ulpdu.size());
    message.ddp_header = ulpdu.first(blamed->header.octets());
    const rdmap::Control blamed_control = rdmap::decode_control(blamed->header.rsvd_ulp);
    message.has_rdma_header = blamed_control.is(Opcode::read_request);
    if (message.has_rdma_header) message.rdma_header = blamed->payload.first(rdmap::layout::kReadRequest);
  }
  OctetBuffer payload;
  rdmap::encode(message, payload);
  return segment(Opcode::terminate, payload);
}

OctetBuffer start_frame(mpa::FrameKind kind, bool markers, bool crc, bool enhanced, Octets ulp_data) {
  OctetBuffer data;
  if (enhanced)
    Writer(data).big_endian(
        mpa::encode_enhanced({.peer_to_peer = true, .ird = 1, .rtr_write = true, .rtr_read = true, .ord = 1}));
  Writer(data).octets(ulp_data);
  return mpa::encode_start_frame({.key = mpa::key_of(kind),
                                  .markers = markers,
                                  .crc = crc,
                                  .enhanced = enhanced,
                                  .revision = enhanced ? mpa::kRevision2 : mpa::kRevision1,
                                  .private_data_length = static_cast<std::uint16_t>(data.size()),
                                  .private_data = data});
}

Seed stream(const char* name, Octet what, Octet cut, Octets start, const std::vector<OctetBuffer>& ulpdus,
            const mpa::FramingFaults& faults_of_second = {}) {
  OctetBuffer out{what, cut};
  Writer(out).octets(start);
  mpa::Framer framer((what & control::kMarkers) != 0, (what & control::kCrc) != 0);
  for (std::size_t i = 0; i < ulpdus.size(); ++i)
    framer.frame(ulpdus[i], out, i == 1 ? faults_of_second : mpa::FramingFaults{});
  return {"fuzz_mpa", name, out};
}

// One seed for each ULPDU: every message, and headers that a Terminate encloses.
void add_ulpdus(std::vector<Seed>& seeds, Octets payload) {
  const auto ulpdu = [&](const char* name, OctetBuffer octets) {
    seeds.push_back({"fuzz_rdmap_message", name, std::move(octets)});
  };
  ulpdu("write", segment(Opcode::write, payload));
  ulpdu("write-empty", segment(Opcode::write, {}));
  ulpdu("read-request", read_request(1));
  ulpdu("read-response", segment(Opcode::read_response, payload));
  ulpdu("send", segment(Opcode::send, payload));
  ulpdu("send-second-segment", segment(Opcode::send, payload, 3, true, 1000));
  ulpdu("send-invalidate", segment(Opcode::send_invalidate, payload));
  ulpdu("send-se", segment(Opcode::send_se, payload));
  ulpdu("send-se-invalidate", segment(Opcode::send_se_invalidate, payload));
  ulpdu("immediate-data", segment(Opcode::immediate_data, payload.first(rdmap::layout::kImmediateData)));
  OctetBuffer atomic;
  rdmap::encode(rdmap::AtomicRequest{.reserved_and_opcode = rdmap::kCmpSwap,
                                     .request_identifier = 7,
                                     .stag = 0x3344,
                                     .to = 0x2000,
                                     .data = 1,
                                     .data_mask = ~std::uint64_t{0},
                                     .compare = 2,
                                     .compare_mask = ~std::uint64_t{0}},
                atomic);
  ulpdu("atomic-request", segment(Opcode::atomic_request, atomic));
  OctetBuffer response;
  rdmap::encode(rdmap::AtomicResponse{.request_identifier = 7, .original_value = 2}, response);
  ulpdu("atomic-response", segment(Opcode::atomic_response, response));
  ulpdu("terminate-read-request", terminate(rdmap::error::kBaseOrBounds, read_request(1)));
  ulpdu("terminate-write", terminate(rdmap::error::kDdpInvalidStag, segment(Opcode::write, payload)));
  ulpdu("terminate-send", terminate(rdmap::error::kDdpTooLong, segment(Opcode::send, payload)));
  ulpdu("terminate-crc", terminate(rdmap::error::kMpaCrc, {}));
  ulpdu("header-cut", OctetBuffer{0x41, 0x43, 0, 0, 0, 0});
}

}  // namespace

std::vector<Seed> iwarp_seeds() {
  const OctetBuffer payload = counting(40), much = counting(1200);
  const std::vector<OctetBuffer> exchange{
      segment(Opcode::send, payload, 1),
      segment(Opcode::write, much, 0, false),
      segment(Opcode::write, much, 0, true, 1200),
      read_request(1),
      segment(Opcode::send, Octets(payload).first(7), 2, false),
      segment(Opcode::send, payload, 2, true, 7),
      segment(Opcode::write, {}),
      terminate(rdmap::error::kDdpBaseOrBounds, segment(Opcode::write, much)),
  };
  constexpr Octet kBoth = control::kMarkers | control::kCrc;
  std::vector<Seed> seeds{
      stream("crc", control::kCrc, 100, {}, exchange),
      stream("plain", 0, 3, {}, exchange),
      stream("markers", control::kMarkers, 7, {}, exchange),
      stream("markers-and-crc", kBoth, 250, {}, exchange),
      stream("gap-crc", control::kCrc | control::kGap, 77, {}, exchange),
      stream("gap-markers", control::kMarkers | control::kGap, 5, {}, exchange),
      stream("gap-markers-and-crc", kBoth | control::kGap, 201, {}, exchange),
      stream("bad-crc", kBoth, 9, {}, exchange, {.crc_xor = 1}),
      stream("bad-length", control::kCrc, 9, {}, exchange, {.length_add = 4}),
      stream("bad-marker", kBoth, 9, {}, exchange, {.marker_pointer_xor = 4, .marker_reserved = 1}),
      stream("pad-not-zero", control::kCrc, 9, {}, exchange, {.pad_fill = 0xff}),
      stream("request", control::kStartFrame | control::kCrc, 1,
             start_frame(mpa::FrameKind::request, false, true, false, {}), exchange),
      stream("reply-enhanced", control::kStartFrame | kBoth, 1,
             start_frame(mpa::FrameKind::reply, true, true, true, payload), exchange),
      stream("empty-ulpdus", control::kCrc, 1, {}, {{}, {}, {}}),
  };
  add_ulpdus(seeds, payload);
  return seeds;
}

}  // namespace wirelaw::corpora
