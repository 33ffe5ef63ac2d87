// SPDX-License-Identifier: Apache-2.0
// Endpoint against endpoint: the handshake (2).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/efa/endpoint.h"
#include "reference/efa/test_world.h"

namespace wirelaw::efa {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using namespace std::chrono_literals;

TEST(Handshake, AnswersTheFirstPacketOnceOnEitherSide) {
  World world;
  world.b.post_receive({.octets = 3}, 0s);
  world.a.send(kB, {.data = {1, 2, 3}}, 0s);
  world.run();
  EXPECT_THAT(world.sent(kA), ElementsAre("EAGER_MSGRTM", "HANDSHAKE"));
  EXPECT_THAT(world.sent(kB), ElementsAre("HANDSHAKE"));
  ASSERT_EQ(world.done_b.size(), 1u);
  EXPECT_EQ(world.done_b[0].data, (OctetBuffer{1, 2, 3}));
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
}

TEST(Handshake, SaysWhatItsOptionsSay) {
  Options options;
  options.extra_info = {0x1a, 1};
  options.host_id = 7;
  options.device_version = 0xefa2;
  World world({}, options);
  world.a.send(kB, {.data = {1}}, 0s);
  world.run();
  const Packet& packet = world.first(PacketType::handshake);
  EXPECT_EQ(packet.nextra_p3, 5u);
  EXPECT_EQ(packet.extra_info.size(), 16u);
  EXPECT_TRUE(announces(packet.extra_info, 64));
  EXPECT_EQ(connid_of(packet), world.b.address().connid);
  EXPECT_EQ(packet.host_id, 7u);
  EXPECT_EQ(packet.device_version, 0xefa2u);
}

TEST(Handshake, EndsTheRawAddressInRequests) {
  World world;
  world.a.send(kB, {.data = {1}}, 0s);
  world.a.send(kB, {.data = {2}}, 0s);
  world.run();
  world.a.send(kB, {.data = {3}}, 0s);
  world.run();
  std::vector<bool> with_address;
  for (const Seen& one : world.seen)
    if (one.packet.is(PacketType::eager_msgrtm)) with_address.push_back(one.packet.has(flag::kRawAddress));
  EXPECT_THAT(with_address, ElementsAre(true, true, false));
  const auto address = decode_raw_address(world.first(PacketType::eager_msgrtm).raw_address);
  EXPECT_TRUE(address->same_endpoint(world.a.address()));
  EXPECT_EQ(connid_of(world.seen.back().packet), world.a.address().connid) << "connid where the peer asks for it";
}

TEST(Handshake, LeavesConnidOutWhereNobodyAsksForIt) {
  World world({}, with_extras({}));
  shake_hands(world);
  world.a.send(kB, {.data = {1}}, 0s);
  world.run();
  EXPECT_EQ(world.first(PacketType::eager_msgrtm).flags, flag::kMsg);
}

TEST(Handshake, KeepsTheHeaderLengthWhereThePeerAsksForIt) {
  World world({}, with_extras({Extra::constant_header_length, Extra::connid_header}));
  world.a.send(kB, {.data = {1}}, 0s);
  world.run();
  world.a.send(kB, {.data = {2}}, 0s);
  world.run();
  std::vector<std::size_t> lengths;
  for (const Seen& one : world.seen)
    if (one.packet.is(PacketType::eager_msgrtm)) lengths.push_back(header_octets(one.packet));
  EXPECT_THAT(lengths, ElementsAre(48u, 48u));
}

TEST(Handshake, IsTriggeredByAnEmptyWriteWhereAFeatureIsNeeded) {
  World world;
  world.b.post_receive({.octets = 1}, 0s);
  world.a.send(kB, {.data = {1}, .delivery_complete = true}, 0s);
  world.run();
  EXPECT_THAT(world.sent(kA), ElementsAre("EAGER_RTW", "HANDSHAKE", "DC_EAGER_MSGRTM"));
  EXPECT_THAT(world.sent(kB), ElementsAre("HANDSHAKE", "RECEIPT"));
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
}

TEST(Handshake, RefusesACallThatThePeerCannotServe) {
  World world({}, with_extras({}));
  world.a.send(kB, {.data = {1}, .delivery_complete = true}, 0s);
  world.a.send(kB, {.data = {2}}, 0s);
  world.run();
  ASSERT_EQ(world.done_a.size(), 2u);
  EXPECT_EQ(world.done_a[0].status, Status::unsupported);
  EXPECT_EQ(world.done_a[1].status, Status::ok) << "what waited for it continues";
}

// Later documents, table 2.1: a baseline feature needs no announcement, and does not wait for a HANDSHAKE.
TEST(Handshake, IsNotWaitedForByWhatIsBaseline) {
  World world({.revision = Revision::v2_6});
  world.b.post_receive({.octets = 1}, 0s);
  world.a.send(kB, {.data = {1}, .delivery_complete = true}, 0s);
  world.run();
  EXPECT_THAT(world.sent(kA), ElementsAre("DC_EAGER_MSGRTM", "HANDSHAKE"));
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
}

TEST(Handshake, IsNotAskedForConnidWhereEveryPeerTakesIt) {
  World world({.revision = Revision::v2_6}, with_extras({}));
  shake_hands(world);
  world.a.send(kB, {.data = {1}}, 0s);
  world.run();
  EXPECT_EQ(world.first(PacketType::eager_msgrtm).flags, flag::kMsg | flag::kConnid);
}

TEST(Handshake, ThatNeverComesFailsWhatWaitsForIt) {
  World world;
  world.passes = [](PeerId from, const OctetBuffer&) { return from != kB; };
  world.a.send(kB, {.data = {1}, .delivery_complete = true}, 0s);
  world.wait();
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::vanished)));
  EXPECT_EQ(world.now, 10s);
  EXPECT_EQ(world.a.operations(), 0u);
}

TEST(Handshake, WithMoreThanItKnowsIsTaken) {
  Options options;
  options.extra_info = {0x35b, ~0ull, ~0ull};
  World world({}, options);
  shake_hands(world);
  EXPECT_EQ(world.drops(), 0u);
}

}  // namespace
}  // namespace wirelaw::efa
