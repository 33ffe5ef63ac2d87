// SPDX-License-Identifier: Apache-2.0
// Every error of the tables causes exactly the Terminate that they prescribe, in either role: RFC 5040, figures 9 and
// 10; RFC 5041, 7.2; RFC 5044, 8; RFC 7306, 8.
#include <gtest/gtest.h>

#include "reference/rdmap/test_stream.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::uint64_t kBase = 0x1000;
constexpr std::size_t kSize = 200;
constexpr std::size_t kReceive = 100;

// One stream with a buffer of each kind and three receives.
struct Scene {
  explicit Scene(Role role, const Options& options = {}) : rig(role, options) {
    both = rig.end.offer(kSize, {.read = true, .write = true, .atomic = true}, kBase);
    rig.end.fill(pattern(kSize));
    read_only = rig.end.offer(kSize, {.read = true}, kBase);
    write_only = rig.end.offer(kSize, {.write = true}, kBase);
    foreign = rig.end.offer(kSize, {.read = true, .write = true}, kBase, 77);
    shared = rig.end.offer(kSize, {.read = true, .write = true}, kBase, 0);
    rig.end.buffers.remove(shared);
    shared = rig.end.buffers.add(kEveryStream, *rig.end.memory.back(), kBase, {.write = true}).value();
    top = rig.end.offer(kSize, {.read = true, .write = true}, ~std::uint64_t{0} - kSize);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(rig.end.endpoint.post_receive(kReceive));
    rig.start();
  }

  Rig rig;
  Stag both = 0, read_only = 0, write_only = 0, foreign = 0, shared = 0, top = 0;
};

enum class Headers : std::uint8_t { none, ddp, ddp_and_read };

struct Row {
  const char* name;
  ErrorCode error;
  Headers headers;
  // Returns the wrong segment, after sending what must precede it.
  std::pair<ddp::Header, OctetBuffer> (*segment)(Scene& scene);
  bool extensions = false;
};

ddp::Header changed(ddp::Header header, void (*change)(ddp::Header&)) {
  change(header);
  return header;
}
ddp::Header send_of(std::uint32_t msn, std::uint32_t mo = 0, bool last = true) {
  return untagged(Opcode::send, kSendQueue, msn, mo, last);
}
ddp::Header control(std::uint8_t rsvd_ulp) {
  ddp::Header header = send_of(1);
  header.rsvd_ulp = rsvd_ulp;
  return header;
}
ddp::Header request(std::uint32_t msn = 1) {
  return untagged(Opcode::read_request, kReadRequestQueue, msn);
}
OctetBuffer read_of(Stag stag, std::uint64_t to, std::uint32_t size) {
  return encoded(ReadRequest{.sink_stag = 7, .sink_to = 8, .size = size, .source_stag = stag, .source_to = to});
}
OctetBuffer atomic_of(Stag stag, std::uint64_t to, std::uint32_t operation = kFetchAdd) {
  OctetBuffer octets;
  encode(AtomicRequest{.reserved_and_opcode = operation, .stag = stag, .to = to, .data = 1}, octets);
  return octets;
}
ddp::Header atomic(std::uint32_t msn = 1) {
  return untagged(Opcode::atomic_request, kReadRequestQueue, msn);
}

using Wrong = std::pair<ddp::Header, OctetBuffer>;
const OctetBuffer kFour{1, 2, 3, 4};

// clang-format off
const Row kRows[] = {
    // DDP: the version
    {"DV 0, untagged", error::kDdpUntaggedVersion, Headers::ddp, [](Scene&) { return Wrong(changed(send_of(1), [](ddp::Header& h) { h.version = 0; }), kFour); }},
    {"DV 2, untagged", error::kDdpUntaggedVersion, Headers::ddp, [](Scene&) { return Wrong(changed(send_of(1), [](ddp::Header& h) { h.version = 2; }), kFour); }},
    {"DV 3, of a read", error::kDdpUntaggedVersion, Headers::ddp, [](Scene& s) { return Wrong(changed(request(), [](ddp::Header& h) { h.version = 3; }), read_of(s.both, kBase, 1)); }},
    {"DV 0, tagged", error::kDdpTaggedVersion, Headers::ddp, [](Scene& s) { return Wrong(changed(tagged(Opcode::write, s.both, kBase), [](ddp::Header& h) { h.version = 0; }), kFour); }},
    // DDP: untagged
    {"queue 3", error::kDdpInvalidQn, Headers::ddp, [](Scene&) { return Wrong(untagged(Opcode::send, 3, 1), kFour); }},
    {"queue 4 with the extensions", error::kDdpInvalidQn, Headers::ddp, [](Scene&) { return Wrong(untagged(Opcode::send, 4, 1), kFour); }, true},
    {"queue 2^32 - 1", error::kDdpInvalidQn, Headers::ddp, [](Scene&) { return Wrong(untagged(Opcode::send, 0xffffffff, 1), kFour); }},
    {"MSN 0", error::kDdpMsnRange, Headers::ddp, [](Scene&) { return Wrong(send_of(0), kFour); }},
    {"MSN gap", error::kDdpMsnRange, Headers::ddp, [](Scene&) { return Wrong(send_of(2), kFour); }},
    {"MSN repeated", error::kDdpMsnRange, Headers::ddp, [](Scene& s) { s.rig.send(send_of(1), kFour); return Wrong(send_of(1), kFour); }},
    {"MSN far ahead", error::kDdpMsnRange, Headers::ddp, [](Scene&) { return Wrong(send_of(1'000'000), kFour); }},
    {"the next message inside a message", error::kDdpMsnRange, Headers::ddp, [](Scene& s) { s.rig.send(send_of(1, 0, false), kFour); return Wrong(send_of(2), kFour); }},
    {"MSN of a read", error::kDdpMsnRange, Headers::ddp, [](Scene& s) { return Wrong(request(2), read_of(s.both, kBase, 1)); }},
    {"no receive", error::kDdpNoBuffer, Headers::ddp, [](Scene& s) { for (unsigned i = 1; i <= 3; ++i) s.rig.send(send_of(i), kFour); return Wrong(send_of(4), kFour); }},
    {"no receive for a Send of nothing", error::kDdpNoBuffer, Headers::ddp, [](Scene& s) { for (unsigned i = 1; i <= 3; ++i) s.rig.send(send_of(i)); return Wrong(send_of(4), OctetBuffer{}); }},
    {"MO of a first segment", error::kDdpInvalidMo, Headers::ddp, [](Scene&) { return Wrong(send_of(1, 4), kFour); }},
    {"MO gap", error::kDdpInvalidMo, Headers::ddp, [](Scene& s) { s.rig.send(send_of(1, 0, false), kFour); return Wrong(send_of(1, 8), kFour); }},
    {"MO overlap", error::kDdpInvalidMo, Headers::ddp, [](Scene& s) { s.rig.send(send_of(1, 0, false), kFour); return Wrong(send_of(1, 0), kFour); }},
    {"MO beyond the buffer", error::kDdpInvalidMo, Headers::ddp, [](Scene&) { return Wrong(send_of(1, kReceive + 1), kFour); }},
    {"MO 2^32 - 1", error::kDdpInvalidMo, Headers::ddp, [](Scene&) { return Wrong(send_of(1, 0xffffffff), kFour); }},
    {"too long in one segment", error::kDdpTooLong, Headers::ddp, [](Scene&) { return Wrong(send_of(1), OctetBuffer(kReceive + 1)); }},
    {"too long in the second segment", error::kDdpTooLong, Headers::ddp, [](Scene& s) { s.rig.send(send_of(1, 0, false), OctetBuffer(kReceive)); return Wrong(send_of(1, kReceive), OctetBuffer(1)); }},
    {"a Read Request longer than its header", error::kDdpTooLong, Headers::ddp, [](Scene& s) { OctetBuffer o = read_of(s.both, kBase, 1); o.push_back(0); return Wrong(request(), o); }},
    // DDP: tagged
    {"write to an unknown STag", error::kDdpInvalidStag, Headers::ddp, [](Scene& s) { return Wrong(tagged(Opcode::write, s.both ^ 1, kBase), kFour); }},
    {"write to STag 0", error::kDdpInvalidStag, Headers::ddp, [](Scene&) { return Wrong(tagged(Opcode::write, 0, kBase), kFour); }},
    {"write to an invalidated STag", error::kDdpInvalidStag, Headers::ddp, [](Scene& s) { s.rig.end.endpoint.invalidate(s.both); return Wrong(tagged(Opcode::write, s.both, kBase), kFour); }},
    {"write to an STag of another stream", error::kDdpStagNotAssociated, Headers::ddp, [](Scene& s) { return Wrong(tagged(Opcode::write, s.foreign, kBase), kFour); }},
    {"write without the right", error::kDdpInvalidStag, Headers::ddp, [](Scene& s) { return Wrong(tagged(Opcode::write, s.read_only, kBase), kFour); }},
    {"write before the buffer", error::kDdpBaseOrBounds, Headers::ddp, [](Scene& s) { return Wrong(tagged(Opcode::write, s.both, kBase - 1), kFour); }},
    {"write beyond the buffer", error::kDdpBaseOrBounds, Headers::ddp, [](Scene& s) { return Wrong(tagged(Opcode::write, s.both, kBase + kSize - 3), kFour); }},
    {"write that wraps", error::kDdpToWrap, Headers::ddp, [](Scene& s) { return Wrong(tagged(Opcode::write, s.top, ~std::uint64_t{0} - 2), kFour); }},
    {"write with a bad second segment", error::kDdpBaseOrBounds, Headers::ddp, [](Scene& s) { s.rig.send(tagged(Opcode::write, s.both, kBase, false), kFour); return Wrong(tagged(Opcode::write, s.both, kBase + kSize), kFour); }},
    // RDMAP: version, opcode, queue
    {"RV 0", error::kInvalidVersion, Headers::ddp, [](Scene&) { return Wrong(control(0x03), kFour); }},
    {"RV 2", error::kInvalidVersion, Headers::ddp, [](Scene&) { return Wrong(control(0x83), kFour); }},
    {"RV 3 of a read", error::kInvalidVersion, Headers::ddp, [](Scene& s) { return Wrong(changed(request(), [](ddp::Header& h) { h.rsvd_ulp |= 0xc0; }), read_of(s.both, kBase, 1)); }},
    {"RV 0 of a write", error::kInvalidVersion, Headers::ddp, [](Scene& s) { return Wrong(changed(tagged(Opcode::write, s.both, kBase), [](ddp::Header& h) { h.rsvd_ulp = 0; }), kFour); }},
    {"opcode 12", error::kUnexpectedOpcode, Headers::ddp, [](Scene&) { return Wrong(control(0x4c), kFour); }},
    {"opcode 15, tagged", error::kUnexpectedOpcode, Headers::ddp, [](Scene& s) { return Wrong(changed(tagged(Opcode::write, s.both, kBase), [](ddp::Header& h) { h.rsvd_ulp = 0x4f; }), kFour); }},
    {"opcode 13 in a later segment", error::kUnexpectedOpcode, Headers::ddp, [](Scene& s) { s.rig.send(send_of(1, 0, false), kFour); return Wrong(changed(send_of(1, 4), [](ddp::Header& h) { h.rsvd_ulp = 0x4d; }), kFour); }},
    {"immediate data without the extensions", error::kUnexpectedOpcode, Headers::ddp, [](Scene&) { return Wrong(untagged(Opcode::immediate_data, kSendQueue, 1), OctetBuffer(8)); }},
    {"an atomic request without the extensions", error::kUnexpectedOpcode, Headers::ddp, [](Scene& s) { return Wrong(atomic(), atomic_of(s.both, kBase)); }},
    {"a Send on queue 1", error::kUnexpectedOpcode, Headers::ddp, [](Scene&) { return Wrong(untagged(Opcode::send, 1, 1), kFour); }},
    {"a Read Request on queue 0", error::kUnexpectedOpcode, Headers::ddp, [](Scene& s) { return Wrong(untagged(Opcode::read_request, 0, 1), read_of(s.both, kBase, 1)); }},
    {"a Terminate on queue 0", error::kUnexpectedOpcode, Headers::ddp, [](Scene&) { return Wrong(untagged(Opcode::terminate, 0, 1), kFour); }},
    {"an untagged Write", error::kUnexpectedOpcode, Headers::ddp, [](Scene&) { return Wrong(untagged(Opcode::write, 0, 1), kFour); }},
    {"a tagged Send", error::kUnexpectedOpcode, Headers::ddp, [](Scene& s) { return Wrong(tagged(Opcode::send, s.both, kBase), kFour); }},
    {"a tagged Read Request", error::kUnexpectedOpcode, Headers::ddp, [](Scene& s) { return Wrong(tagged(Opcode::read_request, s.both, kBase), read_of(s.both, kBase, 1)); }},
    {"a Read Response that nobody asked for", error::kUnexpectedOpcode, Headers::ddp, [](Scene& s) { return Wrong(tagged(Opcode::read_response, s.both, kBase), kFour); }},
    {"an atomic response that nobody asked for", error::kUnexpectedOpcode, Headers::ddp, [](Scene&) { return Wrong(untagged(Opcode::atomic_response, 3, 1), OctetBuffer(12)); }, true},
    // RDMAP: reads
    {"read of an unknown STag", error::kInvalidStag, Headers::ddp_and_read, [](Scene& s) { return Wrong(request(), read_of(s.both ^ 1, kBase, 1)); }},
    {"read of an invalidated STag", error::kInvalidStag, Headers::ddp_and_read, [](Scene& s) { s.rig.end.endpoint.invalidate(s.both); return Wrong(request(), read_of(s.both, kBase, 1)); }},
    {"read of an STag of another stream", error::kStagNotAssociated, Headers::ddp_and_read, [](Scene& s) { return Wrong(request(), read_of(s.foreign, kBase, 1)); }},
    {"read without the right", error::kAccessRights, Headers::ddp_and_read, [](Scene& s) { return Wrong(request(), read_of(s.write_only, kBase, 1)); }},
    {"read before the buffer", error::kBaseOrBounds, Headers::ddp_and_read, [](Scene& s) { return Wrong(request(), read_of(s.both, kBase - 1, 1)); }},
    {"read beyond the buffer", error::kBaseOrBounds, Headers::ddp_and_read, [](Scene& s) { return Wrong(request(), read_of(s.both, kBase, kSize + 1)); }},
    {"read of 4 GiB", error::kBaseOrBounds, Headers::ddp_and_read, [](Scene& s) { return Wrong(request(), read_of(s.both, kBase, 0xffffffff)); }},
    {"read that wraps", error::kToWrap, Headers::ddp_and_read, [](Scene& s) { return Wrong(request(), read_of(s.top, ~std::uint64_t{0} - 2, 4)); }},
    {"a Read Request shorter than its header", error::kCatastrophicStream, Headers::ddp, [](Scene& s) { OctetBuffer o = read_of(s.both, kBase, 1); o.pop_back(); return Wrong(request(), o); }},
    // RDMAP: invalidation
    {"invalidation of an unknown STag", error::kProtectionCannotInvalidate, Headers::ddp, [](Scene& s) { return Wrong(untagged(Opcode::send_invalidate, 0, 1, 0, true, s.both ^ 1), kFour); }},
    {"invalidation of an STag of another stream", error::kProtectionCannotInvalidate, Headers::ddp, [](Scene& s) { return Wrong(untagged(Opcode::send_se_invalidate, 0, 1, 0, true, s.foreign), kFour); }},
    {"invalidation of an STag of every stream", error::kProtectionCannotInvalidate, Headers::ddp, [](Scene& s) { return Wrong(untagged(Opcode::send_invalidate, 0, 1, 0, true, s.shared), kFour); }},
    {"invalidation for the second time", error::kProtectionCannotInvalidate, Headers::ddp, [](Scene& s) { s.rig.send(untagged(Opcode::send_invalidate, 0, 1, 0, true, s.both), kFour); return Wrong(untagged(Opcode::send_invalidate, 0, 2, 0, true, s.both), kFour); }},
    // RFC 7306
    {"atomic on an unknown STag", error::kInvalidStag, Headers::ddp, [](Scene& s) { return Wrong(atomic(), atomic_of(s.both ^ 1, kBase)); }, true},
    {"atomic without the right", error::kAccessRights, Headers::ddp, [](Scene& s) { return Wrong(atomic(), atomic_of(s.read_only, kBase)); }, true},
    {"atomic beyond the buffer", error::kBaseOrBounds, Headers::ddp, [](Scene& s) { return Wrong(atomic(), atomic_of(s.both, kBase + kSize - 7)); }, true},
    {"atomic that is not aligned", error::kCatastrophicStream, Headers::ddp, [](Scene& s) { return Wrong(atomic(), atomic_of(s.both, kBase + 4)); }, true},
    {"atomic operation 1", error::kCatastrophicStream, Headers::ddp, [](Scene& s) { return Wrong(atomic(), atomic_of(s.both, kBase, 1)); }, true},
    {"an atomic request that is short", error::kCatastrophicStream, Headers::ddp, [](Scene& s) { OctetBuffer o = atomic_of(s.both, kBase); o.pop_back(); return Wrong(atomic(), o); }, true},
    {"immediate data of seven octets", error::kCatastrophicStream, Headers::ddp, [](Scene&) { return Wrong(untagged(Opcode::immediate_data, 0, 1), OctetBuffer(7)); }, true},
    {"immediate data of nine octets", error::kCatastrophicStream, Headers::ddp, [](Scene&) { return Wrong(untagged(Opcode::immediate_data_se, 0, 1), OctetBuffer(9)); }, true},
    {"a Read Request with an octet after it", error::kCatastrophicStream, Headers::ddp_and_read, [](Scene& s) { OctetBuffer o = read_of(s.both, kBase, 1); o.push_back(0); return Wrong(request(), o); }, true},
};
// clang-format on

void expect_terminate(const SentSegment& sent, const Row& row, const ddp::Header& header, Octets payload) {
  EXPECT_EQ(sent.header.qn, kTerminateQueue);
  EXPECT_EQ(sent.header.msn, 1u);
  EXPECT_EQ(sent.header.mo, 0u);
  EXPECT_TRUE(sent.header.last);
  EXPECT_FALSE(sent.header.tagged);
  EXPECT_TRUE(sent.control.is(Opcode::terminate));
  const auto terminate = decode_terminate(sent.payload);
  ASSERT_TRUE(terminate);
  EXPECT_EQ(to_string(terminate->error), to_string(row.error));
  EXPECT_EQ(terminate->has_length, row.headers != Headers::none);
  EXPECT_EQ(terminate->has_ddp_header, row.headers != Headers::none);
  EXPECT_EQ(terminate->has_rdma_header, row.headers == Headers::ddp_and_read);
  EXPECT_EQ(terminate->reserved, 0);
  EXPECT_FALSE(terminate->cut);
  EXPECT_TRUE(terminate->tail.empty());
  if (row.headers == Headers::none) return;
  const OctetBuffer head = encoded(header);
  EXPECT_EQ(terminate->ddp_segment_length, head.size() + payload.size());
  EXPECT_EQ(to_hex(terminate->ddp_header), to_hex(head));
  if (row.headers == Headers::ddp_and_read) {
    EXPECT_EQ(to_hex(terminate->rdma_header), to_hex(payload.first(layout::kReadRequest)));
  }
}

TEST(EndpointErrors, EachRowOfTheTablesBringsItsTerminate) {
  for (const Row& row : kRows)
    for (const Role role : {Role::initiator, Role::responder}) {
      SCOPED_TRACE(row.name);
      Scene scene(role, {.extensions = row.extensions});
      const auto [header, payload] = row.segment(scene);
      EXPECT_TRUE(scene.rig.segments().empty()) << "all was well until now";
      scene.rig.send(header, payload);
      const auto sent = scene.rig.segments();
      ASSERT_EQ(sent.size(), 1u);
      expect_terminate(sent[0], row, header, payload);
      EXPECT_EQ(scene.rig.end.endpoint.ending(), Ending::closed);
      const auto errors = scene.rig.end.all<LocalError>();
      ASSERT_EQ(errors.size(), 1u);
      EXPECT_EQ(errors[0].error, row.error);
      EXPECT_TRUE(errors[0].terminates);
      EXPECT_FALSE(errors[0].text.empty());

      // Later segments are ignored (RFC 5041, 7.1), and nothing more is sent (RFC 5040, 5.4).
      const std::size_t events = scene.rig.end.events.size();
      scene.rig.send(header, payload);
      EXPECT_TRUE(scene.rig.output().empty());
      EXPECT_EQ(scene.rig.end.events.size(), events);
      scene.rig.end.endpoint.peer_ended(Ending::closed, scene.rig.now);
      scene.rig.drain();
      EXPECT_TRUE(std::holds_alternative<Closed>(scene.rig.end.events.back()));
      EXPECT_EQ(scene.rig.end.endpoint.phase(), Phase::closed);
    }
}

TEST(EndpointErrors, NothingIsPlacedByASegmentThatIsRefused) {
  for (const Row& row : kRows) {
    Scene scene(Role::responder, {.extensions = row.extensions});
    const auto [header, payload] = row.segment(scene);
    std::vector<OctetBuffer> before;
    for (const auto& memory : scene.rig.end.memory) before.push_back(*memory);
    scene.rig.send(header, payload);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(*scene.rig.end.memory[i], before[i]) << row.name;
  }
}

// --------------------------------------------------------------------------------------------------------------- MPA

// The error causes a Terminate without headers; a responder that has seen no valid FPDU only ends the stream.
void expect_mpa_error(Rig& rig, const ErrorCode& error, bool terminates) {
  const auto sent = rig.segments();
  ASSERT_EQ(sent.size(), terminates ? 1u : 0u);
  if (terminates) expect_terminate(sent[0], {"", error, Headers::none, nullptr}, {}, {});
  EXPECT_EQ(rig.end.endpoint.ending(), Ending::closed);
  ASSERT_EQ(rig.end.count<LocalError>(), 1u);
  EXPECT_EQ(rig.end.all<LocalError>()[0].error, error);
  EXPECT_EQ(rig.end.all<LocalError>()[0].terminates, terminates);
}

TEST(EndpointErrors, ABadCrcBringsATerminateOnceAValidFpduHasBeenSeen) {
  for (const Role role : {Role::initiator, Role::responder})
    for (const bool first : {true, false}) {
      Scene scene(role);
      if (!first) scene.rig.send(send_of(1), kFour);
      scene.rig.send(send_of(first ? 1 : 2), kFour, {.crc_xor = 0x80000000});
      expect_mpa_error(scene.rig, error::kMpaCrc, role == Role::initiator || !first);
    }
}

TEST(EndpointErrors, AMarkerThatPointsElsewhereIsAnError) {
  Scene scene(Role::initiator, {.markers = true});
  scene.rig.expect_markers = true;
  scene.rig.begin_full_operation();
  scene.rig.send(send_of(1), kFour, {.marker_pointer_xor = 3});  // these bits have no meaning
  EXPECT_EQ(scene.rig.end.count<Received>(), 1u);
  for (unsigned msn = 2; scene.rig.end.count<LocalError>() == 0; ++msn) {
    ASSERT_LT(msn, 40u);
    ASSERT_TRUE(scene.rig.end.endpoint.post_receive(kReceive));
    scene.rig.send(send_of(msn), OctetBuffer(90), {.marker_pointer_xor = 4});
  }
  expect_mpa_error(scene.rig, error::kMpaMarker, true);
}

TEST(EndpointErrors, AUlpduMustHoldItsHeader) {
  for (std::size_t octets = 0; octets <= 18; ++octets)
    for (const bool is_tagged : {true, false}) {
      const std::size_t needed = octets == 0 ? 1 : is_tagged ? 14 : 18;
      Scene scene(Role::responder);
      const ddp::Header header =
          is_tagged ? tagged(Opcode::write, scene.both, kBase) : untagged(Opcode::send, kSendQueue, 1);
      OctetBuffer ulpdu = encoded(header);
      ulpdu.resize(octets);
      scene.rig.send_ulpdu(ulpdu);
      if (octets >= needed) {
        EXPECT_TRUE(scene.rig.segments().empty()) << octets;
        EXPECT_EQ(scene.rig.end.count<LocalError>(), 0u);
      } else {
        expect_mpa_error(scene.rig, error::kMpaMarker, true);
      }
    }
}

TEST(EndpointErrors, CrcsArePaddingWhereNobodyWantsThem) {
  Rig rig(Role::responder, {.crc = false});
  ASSERT_TRUE(rig.end.endpoint.post_receive(10));
  rig.feed(mpa::encode_start_frame({.key = mpa::key_of(mpa::FrameKind::request), .crc = false}));
  ASSERT_TRUE(rig.end.endpoint.accept());
  rig.drain();
  rig.begin_full_operation();
  rig.send(send_of(1), kFour, {.crc_xor = 1});
  EXPECT_EQ(rig.end.count<Received>(), 1u);
}

// -------------------------------------------------------------------------------------------------------- no errors

TEST(EndpointErrors, WhatIsToBeIgnoredIsIgnored) {
  Scene scene(Role::responder);
  ddp::Header header = send_of(1);
  header.reserved = 0xf;
  header.rsvd_ulp |= 0x30;
  header.rsvd_ulp_rest = 0xdeadbeef;
  scene.rig.send(header, kFour, {.pad_fill = 0xff});
  ASSERT_EQ(scene.rig.end.count<Received>(), 1u);
  EXPECT_FALSE(scene.rig.end.all<Received>()[0].invalidated);
  // The STag of a zero-length tagged segment is not checked (RFC 5041, 5.2), nor the source of a zero-length read.
  scene.rig.send(tagged(Opcode::write, 0xdead, ~std::uint64_t{0}));
  scene.rig.send(request(), read_of(0xdead, ~std::uint64_t{0}, 0));
  const auto sent = scene.rig.segments();
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_TRUE(sent[0].control.is(Opcode::read_response));
  EXPECT_EQ(sent[0].header.stag, 7u) << "the SinkSTag is copied all the same";
  EXPECT_EQ(sent[0].header.to, 8u);
  EXPECT_TRUE(sent[0].header.last);
  EXPECT_TRUE(sent[0].payload.empty());
  EXPECT_EQ(scene.rig.end.count<LocalError>(), 0u);
}

TEST(EndpointErrors, MessagesMayBeCutAnyhow) {
  Scene scene(Role::responder);
  scene.rig.send(send_of(1, 0, false));
  scene.rig.send(send_of(1, 0, false), kFour);
  scene.rig.send(tagged(Opcode::write, scene.both, kBase + 50, false), kFour);
  scene.rig.send(tagged(Opcode::write, scene.both, kBase + 10, true),
                 kFour);  // backwards: breaks only a SHOULD of the sender
  scene.rig.send(send_of(1, 4, true));
  ASSERT_EQ(scene.rig.end.count<Received>(), 1u);
  EXPECT_EQ(scene.rig.end.all<Received>()[0].data, kFour);
  const OctetBuffer read = read_of(scene.both, kBase + 10, 4);
  scene.rig.send(untagged(Opcode::read_request, 1, 1, 0, false), Octets(read).first(5));
  scene.rig.send(untagged(Opcode::read_request, 1, 1, 5, false), Octets(read).subspan(5, 20));
  scene.rig.send(untagged(Opcode::read_request, 1, 1, 25, true), Octets(read).subspan(25));
  const auto sent = scene.rig.segments();
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].payload, kFour);
  EXPECT_EQ(scene.rig.end.count<LocalError>(), 0u);
}

TEST(EndpointErrors, MoreReadsThanAgreedFindNoBuffer) {
  Scene scene(Role::responder, {.ird = 2});
  // All in one piece, so that nothing is answered between them.
  mpa::Framer framer(false, true);
  OctetBuffer octets;
  for (unsigned msn = 1; msn <= 3; ++msn) {
    OctetBuffer ulpdu = encoded(request(msn));
    const OctetBuffer read = read_of(scene.both, kBase, 4);
    ulpdu.insert(ulpdu.end(), read.begin(), read.end());
    framer.frame(Octets(ulpdu), octets);
  }
  scene.rig.feed(octets);
  const auto sent = scene.rig.segments();
  ASSERT_EQ(sent.size(), 1u);
  expect_terminate(sent[0], {"", error::kDdpNoBuffer, Headers::ddp, nullptr}, request(3),
                   read_of(scene.both, kBase, 4));
}

// ---------------------------------------------------------------------------------------------------- read responses

// An endpoint that has read ten octets, and then ten more.
struct Reader {
  Reader() : rig(Role::initiator) {
    sink = rig.end.offer(kSize, {}, kBase);
    rig.start();
    EXPECT_TRUE(rig.end.endpoint.post_read({sink, kBase + 5}, {99, 1}, 10));
    EXPECT_TRUE(rig.end.endpoint.post_read({sink, kBase + 50}, {99, 100}, 10));
    const auto sent = rig.segments();
    EXPECT_EQ(sent.size(), 2u);
    EXPECT_EQ(to_hex(sent.at(0).payload), to_hex(encoded(ReadRequest{sink, kBase + 5, 10, 99, 1})));
  }
  Rig rig;
  Stag sink = 0;
};

struct ResponseRow {
  const char* name;
  ErrorCode error;
  Stag stag_xor;
  std::uint64_t to;
  std::size_t octets;
  bool last;
};

TEST(EndpointErrors, AResponseMustBeWhatTheOldestReadHasAskedFor) {
  for (const ResponseRow& row : {
           ResponseRow{"another STag", error::kDdpInvalidStag, 1, kBase + 5, 10, true},
           ResponseRow{"another TO", error::kDdpBaseOrBounds, 0, kBase + 6, 10, true},
           ResponseRow{"the later read first", error::kDdpBaseOrBounds, 0, kBase + 50, 10, true},
           ResponseRow{"too long", error::kDdpBaseOrBounds, 0, kBase + 5, 11, true},
           ResponseRow{"too long, and not the last segment", error::kDdpBaseOrBounds, 0, kBase + 5, 11, false},
           ResponseRow{"too short", error::kOperationUnspecified, 0, kBase + 5, 9, true},
           ResponseRow{"nothing", error::kOperationUnspecified, 0, 0, 0, true},
       }) {
    SCOPED_TRACE(row.name);
    Reader reader;
    const ddp::Header header = tagged(Opcode::read_response, reader.sink ^ row.stag_xor, row.to, row.last);
    const OctetBuffer payload(row.octets, 0xaa);
    reader.rig.send(header, payload);
    const auto sent = reader.rig.segments();
    ASSERT_EQ(sent.size(), 1u);
    expect_terminate(sent[0], {"", row.error, Headers::ddp, nullptr}, header, payload);
    const auto done = reader.rig.end.all<Completed>();
    ASSERT_EQ(done.size(), 2u);
    EXPECT_FALSE(done[0].ok || done[1].ok);
  }
}

TEST(EndpointErrors, AResponseMayComeInAnyNumberOfSegments) {
  Reader reader;
  for (std::uint64_t i = 0; i < 10; ++i)
    reader.rig.send(tagged(Opcode::read_response, reader.sink, kBase + 5 + i, false), OctetBuffer(1, 0xaa));
  EXPECT_EQ(reader.rig.end.count<Completed>(), 0u);
  reader.rig.send(tagged(Opcode::read_response, 0, 0, true));
  ASSERT_EQ(reader.rig.end.count<Completed>(), 1u);
  EXPECT_TRUE(reader.rig.end.all<Completed>()[0].ok);
  reader.rig.send(tagged(Opcode::read_response, reader.sink, kBase + 50, true), OctetBuffer(10, 0xbb));
  EXPECT_EQ(reader.rig.end.count<Completed>(), 2u);
  EXPECT_EQ(reader.rig.end.last_memory()[14], 0xaa);
  EXPECT_EQ(reader.rig.end.last_memory()[15], 0);
  EXPECT_EQ(reader.rig.end.last_memory()[59], 0xbb);
}

TEST(EndpointErrors, AResponseNeedsItsBufferStill) {
  Reader reader;
  reader.rig.end.endpoint.deregister(reader.sink);
  const ddp::Header header = tagged(Opcode::read_response, reader.sink, kBase + 5);
  reader.rig.send(header, OctetBuffer(10));
  const auto sent = reader.rig.segments();
  ASSERT_EQ(sent.size(), 1u);
  expect_terminate(sent[0], {"", error::kDdpInvalidStag, Headers::ddp, nullptr}, header, OctetBuffer(10));
}

TEST(EndpointErrors, AnAtomicResponseMustCarryTheIdentifierOfItsRequest) {
  for (const std::uint32_t change : {0u, 1u}) {
    Rig rig(Role::initiator, {.extensions = true});
    rig.start();
    ASSERT_TRUE(rig.end.endpoint.post_fetch_add({1, 8}, 1));
    const auto asked = rig.segments();
    ASSERT_EQ(asked.size(), 1u);
    const auto operation = decode_atomic_request(asked[0].payload);
    ASSERT_TRUE(operation);
    OctetBuffer response;
    encode(AtomicResponse{.request_identifier = operation->request_identifier ^ change, .original_value = 3}, response);
    rig.send(untagged(Opcode::atomic_response, kAtomicResponseQueue, 1), response);
    EXPECT_EQ(rig.segments().size(), change);
    ASSERT_EQ(rig.end.count<Completed>(), 1u);
    EXPECT_EQ(rig.end.all<Completed>()[0].ok, change == 0);
    EXPECT_EQ(rig.end.all<Completed>()[0].original, change == 0 ? 3u : 0u);
  }
}

// ------------------------------------------------------------------------------------- errors during an operation

TEST(EndpointErrors, AReadThatLosesItsBufferShowsHowFarItHasCome) {
  constexpr std::size_t kPiece = 128 - 14;
  Rig rig(Role::responder, {.mulpdu = 128, .output_octets = 1});
  const Stag source = rig.end.offer(1000, {.read = true}, kBase);
  rig.start();
  mpa::Framer framer(false, true);
  OctetBuffer ulpdu = encoded(request());
  const ReadRequest read{.sink_stag = 7, .sink_to = 1000, .size = 900, .source_stag = source, .source_to = kBase + 3};
  encode(read, ulpdu);
  OctetBuffer octets;
  framer.frame(Octets(ulpdu), octets);
  rig.end.endpoint.receive(octets, rig.now);
  OctetBuffer next;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(rig.end.endpoint.next_octets(next));
  ASSERT_TRUE(rig.end.endpoint.deregister(source));
  ASSERT_TRUE(rig.end.endpoint.next_octets(next));
  mpa::Deframer deframer(false, true);
  deframer.feed(next);
  const auto fpdu = deframer.next();
  ASSERT_TRUE(fpdu);
  const auto segment = ddp::decode(fpdu->ulpdu());
  const auto terminate = decode_terminate(segment->payload);
  ASSERT_TRUE(terminate);
  EXPECT_EQ(terminate->error, error::kInvalidStag);
  EXPECT_EQ(terminate->ddp_segment_length, 46);
  EXPECT_EQ(to_hex(terminate->ddp_header), to_hex(encoded(request())));
  const std::uint32_t done = 3 * kPiece;
  EXPECT_EQ(*decode_read_request(terminate->rdma_header),
            (ReadRequest{7, 1000 + done, 900 - done, source, kBase + 3 + done}));
}

TEST(EndpointErrors, AnAtomicOperationThatLosesItsBufferIsNotPerformed) {
  Rig rig(Role::responder, {.extensions = true});
  const Stag stag = rig.end.offer(8, {.atomic = true}, 0);
  rig.start();
  mpa::Framer framer(false, true);
  OctetBuffer ulpdu = encoded(atomic());
  const OctetBuffer operation = atomic_of(stag, 0);
  ulpdu.insert(ulpdu.end(), operation.begin(), operation.end());
  OctetBuffer octets;
  framer.frame(Octets(ulpdu), octets);
  rig.end.endpoint.receive(octets, rig.now);
  rig.end.endpoint.invalidate(stag);
  const auto sent = rig.segments();
  ASSERT_EQ(sent.size(), 1u);
  expect_terminate(sent[0], {"", error::kInvalidStag, Headers::ddp, nullptr}, atomic(), operation);
  EXPECT_EQ(rig.end.last_memory(), OctetBuffer(8));
}

TEST(EndpointErrors, WhatGoesWrongInARequestOfOurOwnNamesNoMessage) {
  Rig rig(Role::initiator);
  const Stag sink = rig.end.offer(10, {});
  rig.start();
  ASSERT_TRUE(rig.end.endpoint.post_read({sink, 0}, {1, 0}, 10));
  rig.end.endpoint.deregister(sink);
  const auto sent = rig.segments();
  ASSERT_EQ(sent.size(), 1u);
  expect_terminate(sent[0], {"", error::kLocalCatastrophic, Headers::none, nullptr}, {}, {});
}

TEST(EndpointErrors, TheFirstErrorIsTheOneThatIsReported) {
  Scene scene(Role::initiator);
  mpa::Framer framer(false, true);
  OctetBuffer octets;
  const OctetBuffer first = encoded(send_of(5));
  const OctetBuffer second = encoded(untagged(Opcode::send, 9, 1));
  framer.frame(Octets(first), octets);
  framer.frame(Octets(second), octets);
  scene.rig.feed(octets);
  const auto sent = scene.rig.segments();
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(decode_terminate(sent[0].payload)->error, error::kDdpMsnRange);
}

}  // namespace
}  // namespace wirelaw::rdmap
