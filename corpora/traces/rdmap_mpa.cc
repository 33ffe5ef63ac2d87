// SPDX-License-Identifier: Apache-2.0
// Traces for the rules of MPA (RFC 5044) and of enhanced connection establishment (RFC 6581): for each a connection in
// which it, and no other, is broken, and one that exercises it in silence.
#include <algorithm>

#include "corpora/traces/rdmap_samples.h"
#include "reference/octets/crc32c.h"

namespace wirelaw::corpora {
namespace {

using enum Side;
using mpa::EnhancedData;
using mpa::StartFrame;
using rdmap::Opcode;

// --- start frames

RdmapScript::StartEdit with_markers() {
  return [](StartFrame& frame) { frame.markers = true; };
}
RdmapScript::StartEdit enhanced() {
  return [](StartFrame& frame) { frame.revision = mpa::kRevision2, frame.enhanced = true; };
}
OctetBuffer octets_of(const EnhancedData& data) {
  OctetBuffer octets;
  Writer(octets).big_endian(mpa::encode_enhanced(data));
  return octets;
}
constexpr EnhancedData kPeerToPeer{.peer_to_peer = true, .ird = 4, .rtr_write = true, .ord = 4};
constexpr EnhancedData kClientServer{.ird = 4, .ord = 4};

// Both start frames, enhanced, and nothing after them.
void agree(RdmapScript& s, const EnhancedData& request, const EnhancedData& reply) {
  s.open();
  s.request(enhanced(), octets_of(request));
  s.reply(enhanced(), octets_of(reply));
}
EnhancedData depths(std::uint16_t ird, std::uint16_t ord) {
  return {.ird = ird, .ord = ord};
}

// --- what most traces go on with

void exchange(RdmapScript& s) {
  s.send(a, pattern(10));
  s.send(b, pattern(11));
  s.send(a, pattern(12));
  s.send(b, pattern(13));
}
void part(RdmapScript& s) {
  s.close(a);
  s.close(b);
}
void exchange_and_part(RdmapScript& s) {
  exchange(s);
  part(s);
}
void start_and_exchange(RdmapScript& s) {
  s.start();
  exchange(s);
}
void start_with_markers(RdmapScript& s) {
  s.open();
  s.request(with_markers());
  s.reply(with_markers());
}

constexpr std::size_t kHeader = ddp::layout::kUntagged;
// A Send whose FPDU, without markers, has so many octets: a multiple of four.
void send_fpdu_of(RdmapScript& s, Side side, std::size_t octets, const RdmapScript::Faults& faults = {}) {
  s.send(side, pattern(octets - mpa::kLengthOctets - kHeader - mpa::kCrcOctets), Opcode::send, 0, {}, faults);
}

// --- FPDUs that are not as the framer makes them

void put_crc(OctetBuffer& fpdu, std::uint32_t crc) {
  store_little_endian(fpdu.data() + fpdu.size() - mpa::kCrcOctets, crc);
}
void renew_crc(OctetBuffer& fpdu) {
  put_crc(fpdu, crc32c(Octets(fpdu).first(fpdu.size() - mpa::kCrcOctets)));
}
// The CRC over all but so many octets at a place.
void crc_without(OctetBuffer& fpdu, std::size_t at, std::size_t count) {
  OctetBuffer covered(fpdu.begin(), fpdu.end() - mpa::kCrcOctets);
  const auto first = covered.begin() + static_cast<std::ptrdiff_t>(at);
  covered.erase(first, first + static_cast<std::ptrdiff_t>(count));
  put_crc(fpdu, crc32c(covered));
}

void pad_wrongly(RdmapScript& s, std::size_t payload, std::size_t pad) {
  s.send(a, pattern(payload));
  OctetBuffer& fpdu = s.last().octets;
  fpdu.resize(mpa::kLengthOctets + kHeader + payload);
  fpdu.resize(fpdu.size() + pad + mpa::kCrcOctets);
  renew_crc(fpdu);
}

// Octets that go out in segments of a given size.
void recut(RdmapScript& s, Side side, std::size_t begin, std::size_t size, void (*send)(RdmapScript&)) {
  auto messages = s.take();
  RdmapScript::Resume resume = s.resume(std::move(messages));
  (void)begin, (void)size, (void)send, (void)side, (void)resume;
}

}  // namespace
