// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/memory/stream_network.h"

#include <gmock/gmock.h>

#include <set>

#include "harness/peers/dialling_peer.h"

namespace wirelaw {
namespace {

using fake_stream::stream_of;
using fake_stream::StreamPeer;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;

constexpr Instant kLong = seconds{100};

StreamNetwork network_with(const NetworkFaults& network_faults = {}, std::uint64_t seed = 1) {
  return StreamNetwork(std::make_unique<StreamPeer>(), network_faults, seed);
}
StreamPeer& fake(StreamNetwork& network) {
  return dynamic_cast<StreamPeer&>(network.peer());
}

// Reads until the peer ends or falls silent, and records the sizes of the pieces.
OctetBuffer all(StreamNetwork& network, PeerId at, std::vector<std::size_t>* pieces = nullptr) {
  OctetBuffer octets;
  while (true) {
    const auto got = network.receive(at, kLong);
    if (!got || !*got) return octets;
    octets.insert(octets.end(), (*got)->begin(), (*got)->end());
    if (pieces) pieces->push_back((*got)->size());
  }
}

TEST(StreamNetwork, CarriesOctetsInOrderHoweverTheyAreCut) {
  const OctetBuffer sent = stream_of({std::string(200, 'a'), std::string(255, 'b'), "c"});
  for (const std::size_t cut : {1u, 7u, 1460u}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      StreamNetwork network =
          network_with({.cut = cut, .delay_min = microseconds{1}, .delay_max = milliseconds{3}}, seed);
      const PeerId me = network.connect();
      network.send(me, sent);
      std::vector<std::size_t> pieces;
      EXPECT_EQ(all(network, me, &pieces), sent);
      EXPECT_THAT(pieces, Each(Le(cut)));
      EXPECT_THAT(fake(network).pieces, Each(Le(cut)));
    }
  }
}

TEST(StreamNetwork, CarriesMuchOctetByOctet) {
  StreamNetwork network = network_with({.cut = 1});
  const PeerId me = network.connect();
  const OctetBuffer sent = stream_of(std::vector<std::string>(100, std::string(255, 'a')));
  network.send(me, sent);
  EXPECT_EQ(all(network, me), sent);
}

TEST(StreamNetwork, CutsElsewhereWithAnotherSeed) {
  std::set<std::vector<std::size_t>> cuts;
  for (const std::uint64_t seed : {1u, 2u, 3u, 1u}) {
    StreamNetwork network = network_with({.cut = 50}, seed);
    const PeerId me = network.connect();
    network.send(me, stream_of({std::string(200, 'a')}));
    all(network, me);
    cuts.insert(fake(network).pieces);
  }
  EXPECT_THAT(cuts, SizeIs(3));
}

TEST(StreamNetwork, MayJoinWhatWasSentApart) {
  unsigned joined = 0, apart = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    StreamNetwork network = network_with({}, seed);
    const PeerId me = network.connect();
    network.send(me, OctetBuffer{'K'});
    network.send(me, OctetBuffer{'E'});
    static_cast<void>(network.receive(me, milliseconds{1}));
    ++(fake(network).pieces.size() == 1 ? joined : apart);
  }
  EXPECT_GT(joined, 0u);
  EXPECT_GT(apart, 0u);
}

TEST(StreamNetwork, TheOpeningComesBeforeTheOctets) {
  StreamNetwork network = network_with({.delay_min = milliseconds{3}, .delay_max = milliseconds{3}});
  const PeerId me = network.connect();
  network.send(me, OctetBuffer{1});
  EXPECT_FALSE(network.receive(me, milliseconds{2}).value());
  EXPECT_THAT(fake(network).events, IsEmpty());
  EXPECT_FALSE(network.receive(me, milliseconds{3}).value());
  EXPECT_THAT(fake(network).events, ElementsAre("opened 0"));
  EXPECT_EQ(fake(network).received, 1u);
}

TEST(StreamNetwork, AnEndIsHeardBehindTheOctetsBeforeIt) {
  StreamNetwork network = network_with();
  const PeerId me = network.connect();
  const OctetBuffer sent = stream_of({"a", "C"});
  network.send(me, sent);
  EXPECT_EQ(network.ending(me), Ending::none);
  EXPECT_EQ(all(network, me), sent);
  EXPECT_EQ(network.ending(me), Ending::closed);
  const Instant now = network.now();
  EXPECT_FALSE(network.receive(me, kLong).value());  // at once
  EXPECT_EQ(network.now(), now);
}

TEST(StreamNetwork, ADirectionThatHasEndedCarriesNothingAndTheOtherGoesOn) {
  StreamNetwork network = network_with();
  const PeerId me = network.connect();
  network.send(me, stream_of({"C"}));
  all(network, me);
  network.send(me, stream_of({"late"}, false));
  network.end(me, Ending::closed);
  network.send(me, stream_of({"too late"}, false));
  EXPECT_THAT(all(network, me), IsEmpty());
  static_cast<void>(network.accept(milliseconds{1}));  // nothing comes: time passes
  EXPECT_EQ(fake(network).received, stream_of({"C", "late"}).size());
  EXPECT_THAT(fake(network).events, ElementsAre("opened 0", "closed 0"));
}

TEST(StreamNetwork, APeersResetIsTold) {
  StreamNetwork network = network_with();
  const PeerId me = network.connect();
  network.send(me, stream_of({"R", "nobody takes this"}));
  all(network, me);
  EXPECT_EQ(network.ending(me), Ending::reset);
  network.send(me, OctetBuffer{1});
  EXPECT_FALSE(network.receive(me, kLong).value());
}

TEST(StreamNetwork, AResetOfTheTesterEndsBothDirectionsAtOnce) {
  StreamNetwork network = network_with();
  const PeerId me = network.connect();
  network.send(me, stream_of({"a"}));
  network.end(me, Ending::reset);
  EXPECT_EQ(network.ending(me), Ending::reset);
  EXPECT_THAT(all(network, me), IsEmpty());
  const PeerId again = network.connect();
  static_cast<void>(network.receive(again, milliseconds{1}));
  EXPECT_THAT(fake(network).events, ElementsAre("opened 0", "reset 0", "opened 1"));
}

TEST(StreamNetwork, KeepsConnectionsApart) {
  StreamNetwork network = network_with();
  const PeerId one = network.connect();
  const PeerId two = network.connect();
  network.send(one, stream_of({"one"}));
  network.send(two, stream_of({"two", "C"}));
  EXPECT_EQ(all(network, two), stream_of({"two", "C"}));
  EXPECT_EQ(all(network, one), stream_of({"one"}));
  EXPECT_EQ(network.ending(one), Ending::none);
}

TEST(StreamNetwork, ATriggeredPeerConnects) {
  StreamNetwork network(fake_stream::client(), {}, 1);
  EXPECT_FALSE(network.accept(milliseconds{1}).value());
  ASSERT_TRUE(network.trigger({.octets = 3, .count = 2}));
  const PeerId me = network.accept(kLong).value().value();
  OctetBuffer got;
  while (got.size() < 12) {
    const auto piece = network.receive(me, kLong).value().value();
    got.insert(got.end(), piece.begin(), piece.end());
  }
  EXPECT_EQ(got, stream_of({"mmm", "mmm"}));
  network.send(me, got);
  EXPECT_FALSE(network.receive(me, kLong).value());
  EXPECT_EQ(network.ending(me), Ending::closed);
  EXPECT_TRUE(network.peer().idle());
}

TEST(StreamNetwork, APeerMayAskForAnotherConnection) {
  StreamNetwork network(fake_stream::client(), {}, 1);
  network.trigger({});
  EXPECT_EQ(network.accept(kLong).value().value(), 0u);
  fake(network).wants_connection = true;
  EXPECT_EQ(network.accept(kLong).value().value(), 1u);
}

TEST(StreamNetwork, AResponderCannotBeTriggered) {
  StreamNetwork network = network_with();
  EXPECT_FALSE(network.trigger({}));
  EXPECT_FALSE(network.accept(kLong).value());
}

// ------------------------------------------------------------------------------------------------ dials and datagrams

constexpr const char* kPeer = "192.0.2.2:21201";

Link link_from(const char* tester, bool datagrams = false) {
  return {.local = *pcap::parse_endpoint(kPeer), .remote = *pcap::parse_endpoint(tester), .datagrams = datagrams};
}

class Dialled : public testing::Test {
 protected:
  Dialled() { network.locate(*pcap::parse_endpoint(kPeer), dials); }
  const std::map<PeerId, Link>& links() { return dynamic_cast<fake_stream::DiallingPeer&>(network.peer()).links; }

  std::uint32_t dials = 0;
  StreamNetwork network{std::make_unique<fake_stream::DiallingPeer>(), NetworkFaults{.cut = 3}, 1};
};

TEST_F(Dialled, ThePeerKnowsWhereItsConnectionsCome) {
  const PeerId me = network.connect(link_from("192.0.2.1:5"));
  network.send(me, stream_of({"a"}));
  all(network, me);
  EXPECT_EQ(pcap::to_string(links().at(me).remote), "192.0.2.1:5");
  EXPECT_EQ(pcap::to_string(links().at(me).local), kPeer);
}

TEST_F(Dialled, DatagramsKeepTheirBoundariesAndTheirOrder) {
  const PeerId me = network.connect(link_from("192.0.2.1:5", true));
  const OctetBuffer one = fake_stream::datagram_of(std::string(200, 'a')), two = fake_stream::datagram_of("b");
  EXPECT_THAT(links(), IsEmpty());
  for (const OctetBuffer& sent : {one, two, OctetBuffer{}}) network.send(me, sent);
  EXPECT_EQ(network.receive(me, kLong).value(), one);
  EXPECT_EQ(network.receive(me, kLong).value(), two);
  EXPECT_EQ(network.receive(me, kLong).value(), OctetBuffer{});
  EXPECT_TRUE(links().at(me).datagrams);
  network.end(me, Ending::reset);  // datagrams have no end
  network.send(me, two);
  EXPECT_EQ(network.receive(me, kLong).value(), two);
}

TEST_F(Dialled, APlaceOfTheTesterGetsAConnection) {
  const auto at = network.listen(*pcap::parse_endpoint("192.0.2.3:2110"), false);
  EXPECT_EQ(network.listen(*pcap::parse_endpoint("192.0.2.3:2110"), false), at);
  const PeerId me = network.connect(link_from("192.0.2.1:5"));
  network.send(me, stream_of({"D192.0.2.3:2110", "D192.0.2.3:2110"}));
  const auto one = network.accept(at, kLong).value();
  const auto two = network.accept(at, kLong).value();
  ASSERT_TRUE(one && two);
  EXPECT_EQ(all(network, *one), stream_of({"hi"}));
  EXPECT_EQ(all(network, *two), stream_of({"hi"}));
  EXPECT_EQ(pcap::to_string(network.link(*one).local), "192.0.2.2:49152");
  EXPECT_EQ(pcap::to_string(network.link(*two).local), "192.0.2.2:49153");
  EXPECT_EQ(dials, 2u);
}

TEST_F(Dialled, WhereNobodyListensNobodyIsReached) {
  network.listen(*pcap::parse_endpoint("192.0.2.3:2110"), true);  // for datagrams alone
  const PeerId me = network.connect(link_from("192.0.2.1:5"));
  network.send(me, stream_of({"D192.0.2.3:2110"}));
  OctetBuffer answer = stream_of({});
  answer.insert(answer.end(), {2, 'n', 'o'});
  EXPECT_EQ(all(network, me), answer);
}

TEST_F(Dialled, DatagramsToAPlaceAreAConversationOnceTheyCome) {
  const auto at = network.listen(*pcap::parse_endpoint("192.0.2.3:2110"), true);
  const PeerId me = network.connect(link_from("192.0.2.1:5"));
  EXPECT_EQ(network.accept(at, milliseconds{1}).value(), std::nullopt);
  network.send(me, stream_of({"U192.0.2.3:2110", "U192.0.2.3:9"}));
  const auto line = network.accept(at, kLong).value();
  ASSERT_TRUE(line);
  EXPECT_EQ(network.receive(*line, kLong).value(), fake_stream::datagram_of("hi"));
  EXPECT_EQ(all(network, me), stream_of({}));  // octets without a destination are lost silently
}

}  // namespace
}  // namespace wirelaw
