// SPDX-License-Identifier: Apache-2.0
// Endpoint against endpoint: peers come and go, and runs with the same seed are equal.
#include "reference/efa/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/efa/test_world.h"

namespace wirelaw::efa {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using namespace std::chrono_literals;

TEST(Peers, ThatFallSilentFailWhatWaitsForThem) {
  World world(with_rdma(), with_rdma());
  shake_hands(world);
  const RmaIov region = world.b.memory().add(OctetBuffer(100'000), Access::read_write);
  world.passes = [](PeerId from, const OctetBuffer&) { return from != kB; };
  world.a.send(kB, {.data = pattern(100'000), .transfer = Transfer::long_cts}, world.now);
  world.a.send(kB, {.data = pattern(100'000), .transfer = Transfer::long_read}, world.now);
  world.a.send(kB, {.data = {1}, .delivery_complete = true}, world.now);
  world.a.read(kB, {.from = {region}}, world.now);
  world.a.atomic(kB, {.call = AtomicCall::fetch, .operand = u64({1}), .on = {{region.addr, 8, region.key}}}, world.now);
  world.a.write(kB, {.data = pattern(100'000), .to = {region}}, world.now);
  world.wait();
  ASSERT_EQ(world.done_a.size(), 6u);
  EXPECT_THAT(world.done_a, Each(Field(&Completion::status, Status::vanished)));
  EXPECT_EQ(world.a.operations(), 0u);
}

TEST(Peers, ThatVanishInTheMiddleFailTheReceive) {
  World world;
  shake_hands(world);
  world.b.post_receive({.octets = 100'000}, world.now);
  world.passes = [](PeerId, const OctetBuffer& octets) { return octets[0] != 4; };
  world.a.send(kB, {.data = pattern(100'000)}, world.now);
  world.wait();
  EXPECT_THAT(world.done_b, ElementsAre(Field(&Completion::status, Status::vanished)));
  EXPECT_EQ(world.b.operations(), 0u);
}

TEST(Peers, ThatAreRemovedCancelTheirOperations) {
  World world;
  world.passes = [](PeerId, const OctetBuffer&) { return false; };
  world.a.send(kB, {.data = pattern(100'000), .transfer = Transfer::long_cts}, 0s);
  world.a.send(kB, {.data = {1}, .delivery_complete = true}, 0s);
  world.run();
  world.a.remove_peer(kB);
  world.a.remove_peer(77);
  world.run();
  EXPECT_EQ(world.done_a.size(), 2u);
  EXPECT_THAT(world.done_a, Each(Field(&Completion::status, Status::cancelled)));
  EXPECT_EQ(world.a.operations() + world.a.peers(), 0u);
  EXPECT_FALSE(world.a.deadline());
}

TEST(Peers, BeginAnewWhenAnotherEndpointTakesTheAddress) {
  World world;
  shake_hands(world);
  world.b.post_receive({.octets = 100}, world.now);
  world.b.post_receive({.octets = 100}, world.now);
  world.a.send(kB, {.data = {1}}, world.now);
  world.run();
  Endpoint other(Options{}, 99);
  other.send(kB, {.data = {2}}, world.now);
  Outgoing out;
  ASSERT_TRUE(other.next_datagram(out));
  world.b.receive(kA, out.octets, world.now);
  world.run();
  ASSERT_EQ(world.done_b.size(), 2u);
  EXPECT_EQ(world.done_b[1].data, OctetBuffer{2}) << "msg_id begins at 0 again";
  EXPECT_EQ(world.count(PacketType::handshake), 1u);
}

TEST(Peers, WithAConnidThatIsNotTheirsAreNotHeard) {
  World world;
  shake_hands(world);
  Packet packet = packet_of(PacketType::eager_msgrtm);
  packet.flags |= flag::kConnid;
  packet.msg_id = 1;
  packet.connid = world.a.address().connid + 1;
  world.b.receive(kA, encode(packet), world.now);
  EXPECT_EQ(world.b.dropped(Drop::wrong_connid), 1u);
}

TEST(Endpoint, IsTheSameForTheSameSeed) {
  std::vector<OctetBuffer> runs[2];
  for (auto& run : runs) {
    World world(with_rdma(), with_rdma(), {.duplication = 0.1, .reordering = 1}, 7);
    for (unsigned i = 0; i < 10; ++i) {
      world.b.post_receive({.octets = 50'000}, 0s);
      world.a.send(kB, {.data = pattern(i * 5'000), .delivery_complete = i % 2 == 0}, 0s);
    }
    world.run();
    for (const Seen& one : world.seen) run.push_back(one.octets);
  }
  EXPECT_EQ(runs[0], runs[1]);
}

}  // namespace
}  // namespace wirelaw::efa
