// SPDX-License-Identifier: Apache-2.0
// Whatever a peer sends: the endpoint sends well-formed FPDUs, at most one Terminate and nothing after it, keeps to its
// memory limit, and changes no octet that the peer may not write.
#include <gtest/gtest.h>

#include "reference/rdmap/test_stream.h"

namespace wirelaw::rdmap {
namespace {

using std::chrono::seconds;

constexpr Access kAll{.read = true, .write = true, .atomic = true};
constexpr std::uint64_t kBase = 0x1000;
constexpr std::size_t kReceives = 3;
constexpr std::size_t kReceive = 3000;
constexpr Octet kGuard = 0xcc;

class Hostile {
 public:
  Hostile(Role role, unsigned seed, bool markers) : random(seed), rig_(role, options(markers)) {
    rig_.expect_markers = markers;
    // Guard octets surround the memory that the peer may use.
    rig_.end.memory.push_back(std::make_unique<OctetBuffer>(300, kGuard));
    writable = *rig_.end.endpoint.register_buffer(std::span(rig_.end.last_memory()).subspan(100, 100), kBase, kAll);
    rig_.end.memory.push_back(std::make_unique<OctetBuffer>(100, kGuard));
    readable = *rig_.end.endpoint.register_buffer(rig_.end.last_memory(), kBase, {.read = true});
    foreign = rig_.end.offer(100, kAll, kBase, 77);
    for (std::size_t i = 0; i < kReceives; ++i) EXPECT_TRUE(rig_.end.endpoint.post_receive(kReceive));
    rig_.start();
    if (role == Role::initiator) static_cast<void>(rig_.end.endpoint.post_read({writable, kBase}, {5, 5}, 50));
    rig_.drain();
  }

  unsigned pick(unsigned below) { return std::uniform_int_distribution<unsigned>(0, below - 1)(random); }
  template <class Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[pick(static_cast<unsigned>(values.size()))];
  }

  bool odd() { return pick(60) == 0; }

  // Returns a header that is mostly valid.
  ddp::Header header() {
    ddp::Header header{.tagged = pick(3) == 0, .last = true};
    const Opcode likely = header.tagged ? (odd() ? Opcode::read_response : Opcode::write)
                          : odd()       ? one_of({Opcode::terminate, Opcode::send_invalidate})
                                  : one_of({Opcode::send, Opcode::send, Opcode::read_request, Opcode::atomic_request,
                                            Opcode::immediate_data});
    const Control control{.opcode = odd() ? static_cast<std::uint8_t>(pick(16)) : static_cast<std::uint8_t>(likely)};
    header.rsvd_ulp = odd() ? static_cast<std::uint8_t>(random()) : encode_control(control);
    if (odd()) header.version = static_cast<std::uint8_t>(pick(4));
    header.stag = odd() ? one_of({readable, foreign, Stag{0}}) : writable;
    header.to = odd() ? one_of({kBase + 99, kBase - 1, ~std::uint64_t{0}, std::uint64_t{0}}) : kBase + pick(2) * 50;
    header.rsvd_ulp_rest = one_of({writable, foreign, Stag{0}});
    const OpcodeRow* const row = find_opcode(decode_control(header.rsvd_ulp).opcode);
    // Only messages with ULP payload may have several segments.
    if (row != nullptr && row->header_octets == 0) header.last = pick(4) != 0;
    header.qn = odd() || row == nullptr ? pick(6) : row->queue;
    std::uint32_t& msn = msns_[header.qn % 4];
    header.msn = odd() ? pick(5) : msn;
    header.mo = odd() ? pick(4000) : mos_[header.qn % 4];
    return header;
  }
  OctetBuffer payload(const ddp::Header& header) {
    OctetBuffer octets;
    const Opcode opcode = static_cast<Opcode>(decode_control(header.rsvd_ulp).opcode);
    if (opcode == Opcode::read_request) {
      encode(ReadRequest{.size = odd() ? one_of({101u, 0xffffffffu}) : one_of({0u, 1u, 40u}),
                         .source_stag = odd() ? foreign : one_of({writable, readable}),
                         .source_to = odd() ? ~std::uint64_t{0} : kBase + pick(2) * 60},
             octets);
    } else if (opcode == Opcode::atomic_request) {
      encode(AtomicRequest{.reserved_and_opcode = odd() ? 1 : pick(2) * 2,
                           .stag = writable,
                           .to = kBase + (odd() ? pick(100) : 8 * pick(12)),
                           .data = random()},
             octets);
    } else if (opcode == Opcode::immediate_data) {
      octets.resize(8);
    } else {
      octets.resize(header.tagged ? one_of({0u, 1u, 50u}) : one_of({0u, 1u, 50u, 1400u}));
    }
    if (odd()) octets.resize(pick(200));
    return octets;
  }
  void send_segment() {
    const ddp::Header next = header();
    const OctetBuffer octets = payload(next);
    if (!next.tagged) {
      mos_[next.qn % 4] = next.last ? 0 : mos_[next.qn % 4] + static_cast<std::uint32_t>(octets.size());
      if (next.last) ++msns_[next.qn % 4];
    }
    rig_.send(next, octets,
              {.crc_xor = odd() ? 1u : 0u, .marker_pointer_xor = static_cast<std::uint16_t>(odd() ? 8 : 0)});
    check();
  }
  void send_octets() {
    OctetBuffer octets(pick(60));
    for (Octet& octet : octets) octet = static_cast<Octet>(random());
    rig_.feed(octets);
    check();
  }
  void interfere() {
    Endpoint& endpoint = rig_.end.endpoint;
    switch (pick(8)) {
      case 0:
        static_cast<void>(endpoint.post_send(pattern(2000)));
        break;
      case 1:
        static_cast<void>(endpoint.post_read({writable, kBase}, {1, 2}, 40));
        break;
      case 2:
        static_cast<void>(endpoint.post_fetch_add({1, 8}, 1));
        break;
      case 3:
        static_cast<void>(endpoint.post_write(pattern(2000), {1, 2}));
        break;
      case 4:
        if (pick(10) == 0) endpoint.close();
        break;
      case 5:
        if (pick(20) == 0) endpoint.invalidate(readable);
        break;
      default:
        static_cast<void>(endpoint.post_receive(kReceive));
        break;
    }
    rig_.drain();
  }

  void check() {
    for (const SentSegment& sent : rig_.segments()) {
      EXPECT_FALSE(terminated_) << "nothing follows a Terminate";
      terminated_ = sent.control.is(Opcode::terminate);
      if (terminated_) {
        const auto terminate = decode_terminate(sent.payload);
        ASSERT_TRUE(terminate);
        EXPECT_FALSE(terminate->cut);
        EXPECT_TRUE(terminate->tail.empty());
        EXPECT_NE(find_error(terminate->error), nullptr) << to_string(terminate->error);
      }
    }
    EXPECT_LT(rig_.end.endpoint.memory(), 300'000u);
    const OctetBuffer& guarded = *rig_.end.memory[0];
    for (std::size_t i = 0; i < 100; ++i) ASSERT_TRUE(guarded[i] == kGuard && guarded[200 + i] == kGuard);
    ASSERT_EQ(*rig_.end.memory[1], OctetBuffer(100, kGuard));
    ASSERT_EQ(*rig_.end.memory[2], OctetBuffer(100));
  }
  void finish() {
    rig_.end.endpoint.peer_ended(pick(2) == 0 ? Ending::closed : Ending::reset, rig_.now);
    check();
    rig_.pass(seconds(100));
    rig_.end.endpoint.close();
    rig_.pass(seconds(100));
    rig_.pass(seconds(100));
    check();
    EXPECT_EQ(rig_.end.endpoint.phase(), Phase::closed);
    EXPECT_EQ(rig_.end.count<Closed>(), 1u);
    EXPECT_LE(rig_.end.count<LocalError>(), 1u);
    EXPECT_EQ(rig_.end.endpoint.work_left(), 0u);
  }
  bool over() const { return rig_.end.endpoint.ending() != Ending::none; }

  std::mt19937 random;
  Stag writable = 0, readable = 0, foreign = 0;

 private:
  static Options options(bool markers) { return {.markers = markers, .ird = 4, .ord = 4, .extensions = true}; }

  Rig rig_;
  bool terminated_ = false;
  std::array<std::uint32_t, 4> msns_{1, 1, 1, 1};
  std::array<std::uint32_t, 4> mos_{};
};

TEST(Hostile, NothingThatAPeerSendsBreaksARuleOfOurs) {
  std::size_t segments = 0;
  std::size_t longest = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    Hostile hostile(seed % 2 == 0 ? Role::initiator : Role::responder, seed, seed % 5 == 0);
    std::size_t sent = 0;
    while (!hostile.over() && sent < 60 && !testing::Test::HasFatalFailure()) {
      if (hostile.pick(200) == 0) hostile.send_octets();
      if (hostile.pick(3) == 0) hostile.interfere();
      hostile.send_segment();
      ++sent;
    }
    segments += sent;
    longest = std::max(longest, sent);
    hostile.finish();
  }
  EXPECT_GT(longest, 20u) << "some conversations go deep";
  EXPECT_GT(segments, 5000u);
}

// An honest conversation with some octets changed, and without CRCs, which would detect them at once.
TEST(Hostile, AlteredConversationsAreSurvived) {
  PairOptions options;
  options.initiator.crc = options.responder.crc = false;
  options.initiator.enhanced = options.initiator.peer_to_peer = true;
  Pair pair(options);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(pair.responder.endpoint.post_receive(4000));
  pair.run();
  const Stag remote = pair.responder.offer(4000, kAll, kBase);
  const Stag local = pair.initiator.offer(4000, {});
  ASSERT_TRUE(pair.initiator.endpoint.post_send(pattern(4000)));
  ASSERT_TRUE(pair.initiator.endpoint.post_write(pattern(3000), {remote, kBase}));
  ASSERT_TRUE(pair.initiator.endpoint.post_read({local, 0}, {remote, kBase}, 3000));
  pair.run();
  pair.initiator.endpoint.close();
  pair.run();
  const OctetBuffer honest = pair.from_initiator;
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    OctetBuffer octets = honest;
    for (unsigned changes = 1 + static_cast<unsigned>(random() % 3); changes > 0; --changes) {
      const std::size_t at = random() % (random() % 2 == 0 ? octets.size() : 120);
      octets[at] = static_cast<Octet>(random() % 3 == 0 ? random() : octets[at] ^ (1u << random() % 8));
    }
    if (random() % 4 == 0) octets.resize(random() % octets.size());
    End end(Role::responder, options.responder);
    end.endpoint.connected(Instant{0});
    ASSERT_TRUE(end.endpoint.post_receive(4000));
    static_cast<void>(end.offer(4000, kAll, kBase));
    OctetBuffer next;
    for (std::size_t at = 0; at < octets.size();) {
      const std::size_t piece = std::min<std::size_t>(octets.size() - at, 1 + random() % 2000);
      end.endpoint.receive(Octets(octets).subspan(at, piece), Instant{0});
      static_cast<void>(end.endpoint.accept());
      while (end.endpoint.next_octets(next)) {
      }
      EXPECT_LT(end.endpoint.memory(), 400'000u);
      at += piece;
    }
    end.endpoint.peer_ended(Ending::closed, Instant{0});
    end.endpoint.close();
    while (end.endpoint.next_octets(next)) {
    }
    end.fetch();
    EXPECT_EQ(end.count<Closed>(), 1u);
  }
}

}  // namespace
}  // namespace wirelaw::rdmap
