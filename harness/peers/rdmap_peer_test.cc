// SPDX-License-Identifier: Apache-2.0
// The two reference peers, joined by streams that are cut at random; and each alone, with the test as the other side.
#include "harness/peers/rdmap_peer.h"

#include <gmock/gmock.h>

#include <deque>
#include <map>
#include <random>

#include "reference/rdmap/advertisement.h"
#include "reference/rdmap/make_endpoint.h"

namespace wirelaw::rdmap {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

constexpr auto kResponder = Role::responder;
constexpr auto kInitiator = Role::initiator;

std::unique_ptr<Peer> make(const PeerOptions& options, std::uint64_t seed = 1) {
  return peer_maker(options).value()(seed);
}

// Joins an initiator and a responder by any number of connections.
class Wire {
 public:
  Wire(Peer& initiator, Peer& responder, unsigned seed) : initiator_(initiator), responder_(responder), random_(seed) {}

  void open(PeerId id) {
    lines_[id];
    initiator_.opened(id, now_);
    responder_.opened(id, now_);
  }
  void run() {
    while (step()) {
    }
  }
  void pass(Instant time) {
    now_ += time;
    initiator_.advance(now_);
    responder_.advance(now_);
    run();
  }
  std::size_t octets() const { return octets_; }

 private:
  struct Line {
    std::deque<Outgoing> to_initiator, to_responder;
  };
  bool step() {
    bool moved = fetch(initiator_, &Line::to_responder);
    moved = fetch(responder_, &Line::to_initiator) || moved;
    for (auto& [id, line] : lines_) {
      moved = deliver(id, line.to_responder, responder_) || moved;
      moved = deliver(id, line.to_initiator, initiator_) || moved;
    }
    return moved;
  }
  bool fetch(Peer& from, std::deque<Outgoing> Line::*queue) {
    bool any = false;
    for (Outgoing out; from.next_datagram(out); out = {}, any = true) (lines_.at(out.to).*queue).push_back(out);
    return any;
  }
  bool deliver(PeerId id, std::deque<Outgoing>& queue, Peer& to) {
    if (queue.empty()) return false;
    const Outgoing out = queue.front();
    queue.pop_front();
    octets_ += out.octets.size();
    for (std::size_t at = 0; at < out.octets.size();) {
      const std::size_t most = std::min<std::size_t>(out.octets.size() - at, 9000);
      const std::size_t piece = std::uniform_int_distribution<std::size_t>(1, most)(random_);
      to.receive(id, Octets(out.octets).subspan(at, piece), now_);
      at += piece;
    }
    if (out.ending != Ending::none) to.ended(id, out.ending, now_);
    return true;
  }

  Peer& initiator_;
  Peer& responder_;
  std::mt19937 random_;
  Instant now_{0};
  std::map<PeerId, Line> lines_;
  std::size_t octets_ = 0;
};

TEST(RdmapPeers, ExchangeRoundsOfEverySizeAndCloseInOrder) {
  unsigned seed = 0;
  for (const std::size_t octets : {0u, 1u, 64u, 1436u, 1437u, 1440u, 20'000u, 65'536u, 100'000u})
    for (const bool parallel : {false, true}) {
      const auto initiator = make({.role = kInitiator});
      const auto responder = make({.role = kResponder});
      ASSERT_TRUE(initiator->trigger(3, {.octets = octets, .count = 20, .parallel = parallel}, Instant{0}));
      EXPECT_FALSE(initiator->idle());
      Wire wire(*initiator, *responder, ++seed);
      wire.open(3);
      wire.run();
      EXPECT_TRUE(initiator->idle()) << octets;
      EXPECT_EQ(initiator->failed(), 0u) << initiator->state();
      EXPECT_THAT(initiator->state(), HasSubstr("1 connections, 0 of them open, 20 rounds done, 0 failed"));
      EXPECT_THAT(responder->state(), HasSubstr("1 connections, 0 of them open, 20 Sends received, 0 errors"));
    }
}

TEST(RdmapPeers, KeepConnectionsApart) {
  const auto initiator = make({.role = kInitiator});
  const auto responder = make({.role = kResponder});
  Wire wire(*initiator, *responder, 1);
  for (PeerId id = 0; id < 20; ++id) {
    ASSERT_TRUE(initiator->trigger(id, {.octets = 3000 + id, .count = 3}, Instant{0}));
    wire.open(id);
  }
  wire.run();
  EXPECT_TRUE(initiator->idle());
  EXPECT_THAT(initiator->state(), HasSubstr("20 connections, 0 of them open, 60 rounds done, 0 failed"));
}

TEST(RdmapPeers, CountAFaultyEchoAsAFailure) {
  const auto initiator = make({.role = kInitiator});
  const auto responder = make({.role = kResponder, .deviations = {"response-data-wrong"}});
  ASSERT_TRUE(initiator->trigger(0, {.octets = 10, .count = 5}, Instant{0}));
  Wire wire(*initiator, *responder, 1);
  wire.open(0);
  wire.run();
  EXPECT_TRUE(initiator->idle());
  EXPECT_EQ(initiator->failed(), 5u);
  EXPECT_THAT(initiator->state(), HasSubstr("a read has given other octets"));
}

TEST(RdmapPeers, FailWhatIsNotEchoedInTime) {
  const auto initiator = make({.role = kInitiator});
  const auto responder = make({.role = kResponder, .application = Service::none});
  ASSERT_TRUE(initiator->trigger(0, {.count = 2}, Instant{0}));
  Wire wire(*initiator, *responder, 1);
  wire.open(0);
  wire.run();
  EXPECT_FALSE(initiator->idle());
  ASSERT_TRUE(initiator->deadline());
  wire.pass(kRoundTime);
  EXPECT_EQ(initiator->failed(), 2u);
  EXPECT_TRUE(initiator->idle());
  EXPECT_THAT(initiator->state(), HasSubstr("nothing has come back"));
}

TEST(RdmapPeers, EndUpInARejection) {
  const auto initiator = make({.role = kInitiator});
  const auto responder = make({.role = kResponder, .deviations = {"rejects-everything"}});
  ASSERT_TRUE(initiator->trigger(0, {.count = 1}, Instant{0}));
  Wire wire(*initiator, *responder, 1);
  wire.open(0);
  wire.run();
  EXPECT_TRUE(initiator->idle());
  EXPECT_THAT(initiator->state(), HasSubstr("the responder rejects"));
}

TEST(RdmapInitiatorPeer, FallsBackToRevisionOneOnANewConnection) {
  const auto peer = make({.role = kInitiator});
  ASSERT_TRUE(peer->trigger(0, {.count = 1}, Instant{0}));
  EXPECT_FALSE(peer->next_connection());
  peer->opened(0, Instant{0});
  Outgoing request;
  ASSERT_TRUE(peer->next_datagram(request));
  EXPECT_EQ(mpa::decode_start_frame(request.octets)->revision, 2);
  peer->ended(0, Ending::closed, Instant{0});
  EXPECT_TRUE(peer->next_connection());
  EXPECT_FALSE(peer->next_connection());
  EXPECT_FALSE(peer->idle());
  peer->opened(1, Instant{0});
  for (bool found = false; !found;) {
    ASSERT_TRUE(peer->next_datagram(request));
    found = request.to == 1;
  }
  EXPECT_EQ(mpa::decode_start_frame(request.octets)->revision, 1);
  EXPECT_EQ(peer->failed(), 0u);
}

// An endpoint of the test against a responder peer.
class Client {
 public:
  Client(Peer& peer, const Options& options = {}) : endpoint(Role::initiator, options, buffers_), peer_(peer) {
    peer_.opened(7, Instant{0});
    endpoint.connected(Instant{0});
    run();
  }
  void run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (OctetBuffer octets; endpoint.next_octets(octets); moved = true) peer_.receive(7, octets, Instant{0});
      for (Outgoing out; peer_.next_datagram(out); moved = true) endpoint.receive(out.octets, Instant{0});
      for (Event event; endpoint.next_event(event);) {
        if (const auto* one = std::get_if<Established>(&event))
          offered = decode_advertisement(one->private_data).value_or(std::vector<AdvertisedBuffer>{});
        if (auto* one = std::get_if<Received>(&event)) received.push_back(std::move(*one));
        if (const auto* one = std::get_if<RemoteTerminate>(&event)) terminated = one->error;
      }
    }
  }

 private:
  Buffers buffers_{5};

 public:
  Endpoint endpoint;
  std::vector<AdvertisedBuffer> offered;
  std::vector<Received> received;
  std::optional<ErrorCode> terminated;

 private:
  Peer& peer_;
};

TEST(RdmapResponderPeer, AdvertisesOneBufferByOneStagToEveryConnection) {
  const auto peer = make({.role = kResponder});
  const auto shared = [&] {
    const Client client(*peer);
    return client.offered.size() == 5 ? client.offered[4] : AdvertisedBuffer{};
  };
  const AdvertisedBuffer one = shared(), two = shared();
  EXPECT_EQ(one.length, kBufferOctets);
  EXPECT_NE(one.at.stag, 0u);
  EXPECT_EQ(one.at.stag, two.at.stag);
  EXPECT_EQ(one.at.to, two.at.to);
}

TEST(RdmapResponderPeer, AdvertisesThreeBuffersWithTheirRightsAndOneOfNothing) {
  const auto peer = make({.role = kResponder});
  for (std::size_t target = 0; target < 3; ++target) {
    for (const bool reads : {false, true}) {
      Client client(*peer);
      ASSERT_EQ(client.offered.size(), 5u);
      EXPECT_EQ(client.offered[3].length, 0u);
      const AdvertisedBuffer& buffer = client.offered[target];
      EXPECT_EQ(buffer.length, kBufferOctets);
      OctetBuffer memory(4);
      const Stag sink = client.endpoint.register_buffer(memory, 0, {}).value();
      const BufferAt last{buffer.at.stag, buffer.at.to + kBufferOctets - 4};
      if (reads) {
        ASSERT_TRUE(client.endpoint.post_read({sink, 0}, last, 4));
      } else {
        ASSERT_TRUE(client.endpoint.post_write(OctetBuffer{1, 2, 3, 4}, last));
        ASSERT_TRUE(client.endpoint.post_send(OctetBuffer{}));
      }
      ASSERT_TRUE(client.endpoint.post_receive(0));
      client.run();
      const bool permitted = target == 0 || (target == 1) == reads;
      EXPECT_EQ(!client.terminated, permitted) << target << reads;
      if (!permitted) {
        EXPECT_EQ(*client.terminated, reads ? error::kAccessRights : error::kDdpInvalidStag);
      } else if (target == 1) {
        EXPECT_EQ(memory, (OctetBuffer{0x5b, 0x5c, 0x5d, 0x5e}));
      }
      peer->ended(7, Ending::reset, Instant{0});
    }
  }
}

TEST(RdmapResponderPeer, EchoesEachSendInItsFormAndNeverInvalidates) {
  const auto peer = make({.role = kResponder});
  Client client(*peer);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(client.endpoint.post_receive(100));
  ASSERT_TRUE(client.endpoint.post_send(OctetBuffer{1, 2, 3}));
  ASSERT_TRUE(client.endpoint.post_send(OctetBuffer{4}, SendForm::solicited));
  ASSERT_TRUE(client.endpoint.post_send(OctetBuffer{}, SendForm::invalidate, client.offered.at(0).at.stag));
  ASSERT_TRUE(client.endpoint.post_send(OctetBuffer{5}, SendForm::solicited_invalidate, client.offered.at(1).at.stag));
  client.run();
  ASSERT_EQ(client.received.size(), 4u);
  EXPECT_EQ(client.received[0].data, (OctetBuffer{1, 2, 3}));
  EXPECT_EQ(client.received[0].opcode, Opcode::send);
  EXPECT_EQ(client.received[1].opcode, Opcode::send_se);
  EXPECT_EQ(client.received[2].opcode, Opcode::send);
  EXPECT_TRUE(client.received[2].data.empty());
  EXPECT_EQ(client.received[3].opcode, Opcode::send_se);
  ASSERT_TRUE(client.endpoint.post_write(OctetBuffer{1}, client.offered[0].at));
  client.run();
  EXPECT_EQ(client.terminated, error::kDdpInvalidStag);
}

TEST(RdmapResponderPeer, HasSixteenReceivesThatComeBackWithTheirEchoes) {
  const auto peer = make({.role = kResponder});
  Client client(*peer);
  for (std::size_t round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < kReceives; ++i) {
      ASSERT_TRUE(client.endpoint.post_receive(kReceiveOctets));
      ASSERT_TRUE(client.endpoint.post_send(OctetBuffer(i == 0 ? kReceiveOctets : 1)));
    }
    client.run();
  }
  EXPECT_EQ(client.received.size(), 3 * kReceives);
  ASSERT_TRUE(client.endpoint.post_send(OctetBuffer(kReceiveOctets + 1)));
  client.run();
  EXPECT_EQ(client.terminated, error::kDdpTooLong);
}

TEST(RdmapResponderPeer, CountsOnlyWhenDeclaredSo) {
  const OctetBuffer request(kCountRequest.begin(), kCountRequest.end());
  const auto counts = make({.role = kResponder, .application = Service::count});
  Client client(*counts);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(client.endpoint.post_receive(100));
  ASSERT_TRUE(client.endpoint.post_send(request));
  ASSERT_TRUE(client.endpoint.post_send(request));
  ASSERT_TRUE(client.endpoint.post_send(OctetBuffer{9}));
  client.run();
  ASSERT_EQ(client.received.size(), 3u);
  EXPECT_EQ(client.received[0].data, (OctetBuffer{1, 0, 0, 0}));
  EXPECT_EQ(client.received[1].data, (OctetBuffer{2, 0, 0, 0}));
  EXPECT_EQ(client.received[2].data, (OctetBuffer{9}));
}

TEST(RdmapResponderPeer, HasTheExtensionsWhereTheyAreDeclared) {
  const auto with = make({.role = kResponder, .features = {"rfc7306"}});
  Client client(*with, {.extensions = true});
  ASSERT_TRUE(client.endpoint.post_receive(8));
  ASSERT_TRUE(client.endpoint.post_immediate(0x0102030405060708, true));
  ASSERT_TRUE(client.endpoint.post_fetch_add(client.offered.at(0).at, 5));
  client.run();
  ASSERT_EQ(client.received.size(), 1u);
  EXPECT_EQ(client.received[0].opcode, Opcode::immediate_data_se);
  EXPECT_EQ(client.received[0].data, (OctetBuffer{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(client.endpoint.work_left(), 0u);
  EXPECT_FALSE(client.terminated);

  const auto without = make({.role = kResponder});
  Client stranger(*without, {.extensions = true});
  ASSERT_TRUE(stranger.endpoint.post_immediate(1));
  stranger.run();
  EXPECT_EQ(stranger.terminated, error::kUnexpectedOpcode);
}

TEST(RdmapResponderPeer, LetsGoOfASilentConnection) {
  const auto peer = make({.role = kResponder});
  peer->opened(1, Instant{0});
  ASSERT_TRUE(peer->deadline());
  peer->advance(seconds{10});
  Outgoing out;
  ASSERT_TRUE(peer->next_datagram(out));
  EXPECT_EQ(out.ending, Ending::closed);
  EXPECT_FALSE(peer->next_datagram(out));
  peer->advance(seconds{20});
  ASSERT_TRUE(peer->next_datagram(out));
  EXPECT_EQ(out.ending, Ending::reset);
  EXPECT_FALSE(peer->next_datagram(out));
  EXPECT_THAT(peer->state(), HasSubstr("1 connections, 0 of them open"));
  EXPECT_FALSE(peer->deadline());
}

TEST(RdmapDeviations, AreCheckedAgainstTheRole) {
  EXPECT_THAT(peer_maker({.role = kResponder, .deviations = {"no-such-fault"}}).error(),
              HasSubstr("no deviation is called 'no-such-fault'"));
  EXPECT_EQ(peer_maker({.role = kResponder, .deviations = {"rtr-missing"}}).error(),
            "only an initiator can commit the deviation 'rtr-missing'");
  EXPECT_TRUE(peer_maker({.role = kInitiator, .deviations = {"rtr-missing"}}));
  ASSERT_NE(find_reference_peer("rdmap"), nullptr);
  EXPECT_EQ(find_reference_peer("rdmap")->deviations().size(), kDeviationCount);
}

}  // namespace
}  // namespace wirelaw::rdmap
