// SPDX-License-Identifier: Apache-2.0
// The two reference peers, joined: a request of each size comes back through each network.
#include "harness/peers/ramcloud_peer.h"

#include <gmock/gmock.h>

#include "harness/transports/memory/network.h"
#include "reference/ramcloud/client.h"
#include "reference/ramcloud/deviations.h"

namespace wirelaw::ramcloud {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

constexpr auto kResponder = Role::responder;
constexpr auto kInitiator = Role::initiator;

std::unique_ptr<Peer> make(const PeerOptions& options) {
  return peer_maker(options).value()(1);
}

// Calls the server over a network and returns the response.
std::optional<OctetBuffer> call(Network& network, PeerId me, Client& client, OctetBuffer request) {
  client.call(std::move(request), network.now());
  while (true) {
    for (Outgoing out; client.next_datagram(out);) network.send(me, out.octets);
    CallResult result;
    if (client.next_result(result)) return result.response ? std::optional(*result.response) : std::nullopt;
    const auto got = network.receive(me, client.deadline().value_or(network.now() + seconds{1}));
    if (got && *got) {
      client.receive(**got, network.now());
    } else {
      client.advance(network.now());
    }
  }
}

TEST(RamcloudServerPeer, EchoesWhateverTheNetworkDoes) {
  const NetworkFaults rough{.loss = 0.05, .duplication = 0.1, .reordering = 0.2, .delay_max = milliseconds{2}};
  for (const std::size_t octets : {1u, 64u, 1374u, 1375u, 20'000u}) {
    Network network(make({.role = kResponder}), rough, octets);
    Client client(Options{}, 5);
    const OctetBuffer request(octets, 0x5a);
    EXPECT_EQ(call(network, network.open(), client, request), request) << octets;
  }
}

TEST(RamcloudServerPeer, CountsOnlyWhenDeclaredSo) {
  const OctetBuffer request(kCountRequest.begin(), kCountRequest.end());
  {
    Network network(make({.role = kResponder, .application = Service::count}), {}, 1);
    const PeerId me = network.open();
    Client client(Options{}, 5);
    EXPECT_EQ(call(network, me, client, request), (OctetBuffer{1, 0, 0, 0}));
    EXPECT_EQ(call(network, me, client, request), (OctetBuffer{2, 0, 0, 0}));
    EXPECT_EQ(call(network, me, client, {1, 2}), (OctetBuffer{1, 2}));
  }
  Network network(make({.role = kResponder, .application = Service::echo}), {}, 1);
  Client client(Options{}, 5);
  EXPECT_EQ(call(network, network.open(), client, request), request);
}

TEST(RamcloudClientPeer, SendsNothingUntilTriggeredAndGivesUpOnSilence) {
  const auto peer = make({.role = kInitiator});
  Network network(make({.role = kInitiator}), {}, 1);
  const PeerId me = network.open();
  EXPECT_FALSE(network.receive(me, seconds{1}).value());
  ASSERT_TRUE(network.trigger(me, {.count = 1}));
  EXPECT_FALSE(network.peer().idle());
  EXPECT_TRUE(network.receive(me, seconds{60}).value());
  while (network.receive(me, seconds{60}).value()) {
  }
  EXPECT_TRUE(network.peer().idle());
  EXPECT_THAT(network.peer().state(), HasSubstr("1 calls made, 1 completed, 1 of them failed"));
}

TEST(RamcloudDeviations, AreCheckedAgainstTheRole) {
  EXPECT_THAT(peer_maker({.role = kResponder, .deviations = {"no-such-fault"}}).error(),
              HasSubstr("no deviation is called 'no-such-fault'"));
  EXPECT_EQ(peer_maker({.role = kResponder, .deviations = {"never-gives-up"}}).error(),
            "only a client can commit the deviation 'never-gives-up'");
  EXPECT_TRUE(peer_maker({.role = kInitiator, .deviations = {"never-gives-up"}}));
}

TEST(RamcloudSettings, AreKnownByTheirNames) {
  EXPECT_TRUE(peer_maker({.role = kInitiator, .settings = {"eager"}}));
  EXPECT_TRUE(peer_maker({.role = kInitiator, .settings = {"patient"}}));
  EXPECT_EQ(peer_maker({.role = kInitiator, .settings = {"fast"}}).error(), "no setting is called 'fast'");
}

TEST(ReferencePeers, KnowEveryRow) {
  ASSERT_NE(find_reference_peer("ramcloud"), nullptr);
  EXPECT_EQ(find_reference_peer("ramcloud")->deviations().size(), kDeviationCount);
  EXPECT_EQ(find_reference_peer("nothing"), nullptr);
}

}  // namespace
}  // namespace wirelaw::ramcloud
