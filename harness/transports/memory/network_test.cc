// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/memory/network.h"

#include <gmock/gmock.h>

#include "harness/peers/fake_peer.h"

namespace wirelaw {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Instant kLong = seconds{100};

Network network_with(const NetworkFaults& network_faults, std::uint64_t seed = 1) {
  return Network(std::make_unique<FakePeer>(), network_faults, seed);
}

// Sends datagrams 0, 1, … and returns the first octets of the answers, in the order of arrival.
std::vector<int> echoes(Network& network, int count, std::vector<Instant>* times = nullptr) {
  const PeerId me = network.open();
  for (int i = 0; i < count; ++i) {
    const OctetBuffer datagram{static_cast<Octet>(i)};
    network.send(me, datagram);
  }
  std::vector<int> seen;
  while (true) {
    const auto got = network.receive(me, kLong);
    if (!got || !*got) return seen;
    seen.push_back((**got)[0]);
    if (times) times->push_back(network.now());
  }
}

TEST(Network, CarriesInOrderWithoutFaults) {
  Network network = network_with({});
  EXPECT_THAT(echoes(network, 5), ElementsAre(0, 1, 2, 3, 4));
}

TEST(Network, TimePassesOnlyWhereSomebodyWaits) {
  Network network = network_with({.delay_min = milliseconds{3}, .delay_max = milliseconds{3}});
  const PeerId me = network.open();
  const OctetBuffer datagram{1};
  network.send(me, datagram);
  EXPECT_EQ(network.now(), Instant{0});
  EXPECT_FALSE(network.receive(me, milliseconds{5}).value());
  EXPECT_EQ(network.now(), milliseconds{5});
  EXPECT_TRUE(network.receive(me, kLong).value());
  EXPECT_EQ(network.now(), milliseconds{6});
}

// Sends each of its answers twice, to a tester that sends back all of them.
struct DoublingPeer : FakePeer {
  void receive(PeerId from, Octets datagram, Instant now) override {
    FakePeer::receive(from, datagram, now);
    FakePeer::receive(from, datagram, now);
  }
};

TEST(Network, HoldsNoMoreThanItsBoundWhereAnswersMakeAnswersWithoutEnd) {
  Network network(std::make_unique<DoublingPeer>(), {}, 1);
  const PeerId me = network.open();
  network.send(me, OctetBuffer(65'507));
  std::size_t seen = 0;
  for (; seen < 100'000; ++seen) {
    const auto got = network.receive(me, kLong);
    if (!got) {
      EXPECT_THAT(got.error().message, testing::HasSubstr("256 MiB"));
      break;
    }
    ASSERT_TRUE(*got);
    network.send(me, **got);
    network.send(me, **got);
  }
  EXPECT_GT(seen, 1000u);
  EXPECT_LT(seen, 100'000u);
}

TEST(Network, AnEndlessWaitForNothingReturns) {
  Network network = network_with({});
  EXPECT_FALSE(network.receive(network.open(), Instant::max()).value());
}

TEST(Network, LosesDatagrams) {
  Network all = network_with({.loss = 1});
  EXPECT_THAT(echoes(all, 10), IsEmpty());
  Network some = network_with({.loss = 0.3});
  const auto survivors = echoes(some, 200);
  EXPECT_GT(survivors.size(), 50u);
  EXPECT_LT(survivors.size(), 150u);
}

TEST(Network, DuplicatesDatagrams) {
  Network network = network_with({.duplication = 1});
  EXPECT_THAT(echoes(network, 3), SizeIs(12));  // once on the way there, once on the way back
}

TEST(Network, ReordersOnlyWhereTold) {
  Network steady = network_with({.delay_min = microseconds{10}, .delay_max = milliseconds{50}});
  const auto in_order = echoes(steady, 100);
  EXPECT_TRUE(std::ranges::is_sorted(in_order));
  Network unsteady = network_with({.reordering = 0.3});
  const auto mixed = echoes(unsteady, 100);
  EXPECT_THAT(mixed, SizeIs(100));
  EXPECT_FALSE(std::ranges::is_sorted(mixed));
}

TEST(Network, DelaysWithinTheRange) {
  std::vector<Instant> times;
  Network network = network_with({.delay_min = milliseconds{10}, .delay_max = milliseconds{20}});
  echoes(network, 20, &times);
  EXPECT_GE(times.front(), milliseconds{20});
  EXPECT_LE(times.back(), milliseconds{40});
}

TEST(Network, TheSameSeedGivesTheSameRun) {
  const NetworkFaults rough{.loss = 0.1, .duplication = 0.1, .reordering = 0.2, .delay_max = milliseconds{5}};
  const auto run = [&](std::uint64_t seed) {
    std::vector<Instant> times;
    Network network = network_with(rough, seed);
    auto seen = echoes(network, 100, &times);
    return std::pair(std::move(seen), std::move(times));
  };
  EXPECT_EQ(run(7), run(7));
  EXPECT_NE(run(7), run(8));
}

TEST(Network, KeepsConversationsApart) {
  Network network = network_with({});
  const PeerId one = network.open();
  const PeerId two = network.open();
  network.send(one, OctetBuffer{1});
  network.send(two, OctetBuffer{2});
  EXPECT_THAT(network.receive(two, kLong).value().value(), ElementsAre(2));
  EXPECT_THAT(network.receive(one, kLong).value().value(), ElementsAre(1));
}

TEST(Network, ATriggeredPeerActsByItself) {
  Network network = network_with({});
  const PeerId me = network.open();
  EXPECT_TRUE(network.trigger(me, {.count = 2}));
  EXPECT_TRUE(network.receive(me, kLong).value());
  EXPECT_EQ(network.now(), milliseconds{1} + microseconds{10});
  EXPECT_TRUE(network.receive(me, kLong).value());
  EXPECT_FALSE(network.receive(me, kLong).value());
}

TEST(Network, APeerThatNeverLetsTimePassIsAnError) {
  auto peer = std::make_unique<FakePeer>();
  peer->period = Instant{0};
  peer->next = Instant{0};
  peer->to = 99;  // an unknown address, so that nothing arrives
  Network network(std::move(peer), {}, 1);
  EXPECT_FALSE(network.receive(network.open(), kLong));
}

}  // namespace
}  // namespace wirelaw
