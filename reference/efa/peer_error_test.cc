// SPDX-License-Identifier: Apache-2.0
// PEER_ERROR (4.10 of later documents): the side that sends it, and the end of the operation that is given up.
#include "reference/efa/peer_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/efa/test_scenes.h"

namespace wirelaw::efa {
namespace {

// The PEER_ERROR packets that this side has sent.
std::vector<Packet> errors_of(const World& world, PeerId from) {
  std::vector<Packet> all;
  for (const auto& one : world.seen)
    if (one.from == from && one.octets[0] == static_cast<Octet>(PacketType::peer_error))
      all.push_back(*decode(one.octets));
  return all;
}

TEST(PeerError, IsSentInPlaceOfTheEorWhereTheReadFails) {
  Stage script(of_main(), of_main(), {}, {});
  script.meet();
  script.world.rdma_fails = true;
  script.message(8'000, Transfer::long_read);
  const auto errors = errors_of(script.world, kB);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].ref_kind, static_cast<std::uint32_t>(RefKind::ope_index));
  EXPECT_EQ(errors[0].prov_errno, cause::kBadAddress);
  EXPECT_EQ(script.world.done_a.back().status, Status::given_up);
  EXPECT_EQ(script.world.done_b.back().status, Status::failed);
  EXPECT_EQ(script.world.a.operations(), 0u);
}

TEST(PeerError, IsNotSentToAPeerThatHasNotAnnouncedIt) {
  Stage script(all_blocks(with_rdma()), of_main(), {}, {});
  script.meet();
  script.world.rdma_fails = true;
  script.message(8'000, Transfer::long_read);
  EXPECT_TRUE(errors_of(script.world, kB).empty());
}

// The receiver's message ends in error, and the next one is delivered.
TEST(PeerError, OfALongMessageEndsItAtItsReceiver) {
  Options few = of_main();
  few.credits = 1;
  Stage script(of_main(), few, {}, {});
  script.meet();
  script.world.passes = [](PeerId from, const OctetBuffer& octets) {
    return from != kA || octets[0] != static_cast<Octet>(PacketType::ctsdata);
  };
  script.world.b.post_receive({.octets = 80'000}, script.world.now);
  const OperationId send =
      script.world.a.send(kB, {.data = pattern(80'000), .transfer = Transfer::long_cts}, script.world.now);
  script.world.run();
  ASSERT_TRUE(script.world.a.give_up(send, script.world.now));
  script.world.run();
  const auto errors = errors_of(script.world, kA);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].ref_kind, static_cast<std::uint32_t>(RefKind::ope_index));
  EXPECT_EQ(script.world.done_a.back().status, Status::cancelled);
  EXPECT_EQ(script.world.done_b.back().status, Status::given_up);
  script.world.passes = {};
  script.message(5, {});
  EXPECT_EQ(script.world.done_b.back().status, Status::ok);
}

// The message does not wait for a receive any more, and the next one is delivered.
TEST(PeerError, BeforeTheFirstCtsSkipsTheMessage) {
  Stage script(of_main(), of_main(), {}, {});
  script.meet();
  const OperationId send =
      script.world.a.send(kB, {.data = pattern(8'000), .transfer = Transfer::long_cts}, script.world.now);
  script.world.run();
  ASSERT_TRUE(script.world.a.give_up(send, script.world.now));
  script.world.run();
  const auto errors = errors_of(script.world, kA);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].ref_kind, static_cast<std::uint32_t>(RefKind::msg_id_skip));
  EXPECT_EQ(script.world.b.operations(), 0u);
  script.message(5, {});
  EXPECT_EQ(script.world.done_b.back().data, pattern(5));
}

TEST(PeerError, AheadOfItsTurnSkipsTheMessageWhenItComes) {
  Stage script(of_main(), of_main(), {}, {});
  script.meet();
  const std::uint32_t next = 1;  // after the message of meet()
  Packet error = packet_of(PacketType::peer_error);
  error.ref_kind = static_cast<std::uint32_t>(RefKind::msg_id_skip);
  error.op_id = next + 1;
  script.inject(kB, encode(error));
  Packet eager = packet_of(PacketType::eager_msgrtm);
  const OctetBuffer data = pattern(4);
  eager.payload = data;
  for (const std::uint32_t id : {next + 2, next}) {
    script.world.b.post_receive({.octets = 100}, script.world.now);
    eager.msg_id = id;
    script.inject(kB, encode(eager));
  }
  EXPECT_EQ(script.world.b.operations(), 0u);
  ASSERT_GE(script.world.done_b.size(), 2u);
  EXPECT_EQ(script.world.done_b.back().status, Status::ok);
  EXPECT_EQ(script.world.done_b.back().data, data);
}

// Its msg_id has not been sent: no PEER_ERROR is needed, and the next message gets this msg_id.
TEST(PeerError, IsNotNeededForAMessageOfWhichNothingHasGone) {
  for (const Options& receiver : {of_main(), small()}) {
    Stage script(of_main(), receiver, {}, {});
    script.meet();
    for (const Transfer transfer : {Transfer::eager, Transfer::medium, Transfer::long_cts}) {
      const OperationId send = script.world.a.send(kB, {.data = pattern(900), .transfer = transfer}, script.world.now);
      ASSERT_TRUE(script.world.a.give_up(send, script.world.now));
      script.message(5, {});
      EXPECT_EQ(script.world.done_b.back().data, pattern(5));
    }
    EXPECT_TRUE(errors_of(script.world, kA).empty());
    EXPECT_EQ(script.world.b.operations(), 0u);
  }
}

TEST(PeerError, ThatNamesNothingIsPassedOver) {
  Stage script(of_main(), of_main(), {}, {});
  script.meet();
  for (const std::uint32_t kind : {0u, 1u, 3u}) {
    Packet error = packet_of(PacketType::peer_error);
    error.ref_kind = kind;
    error.op_id = kind == 1 ? 0 : 77;
    script.inject(kB, encode(error));
  }
  EXPECT_EQ(script.world.b.dropped(Drop::unknown_id), 2u);
  EXPECT_EQ(script.world.b.dropped(Drop::contradicts), 1u);
  script.message(5, {});
  EXPECT_EQ(script.world.done_b.back().status, Status::ok);
}

TEST(PeerError, IsNotForWhatTheReceiverReadsOrForOneSidedOperations) {
  Stage script(of_main(), of_main(), {}, {});
  script.meet();
  const RmaIov region = script.region(100);
  script.world.passes = [](PeerId from, const OctetBuffer&) { return from != kB; };
  const OperationId write = script.world.a.write(
      kB, {.data = pattern(100), .to = {region}, .transfer = Transfer::long_cts}, script.world.now);
  script.world.b.post_receive({.octets = 8'000}, script.world.now);
  const OperationId read =
      script.world.a.send(kB, {.data = pattern(8'000), .transfer = Transfer::long_read}, script.world.now);
  script.world.run();
  EXPECT_FALSE(script.world.a.give_up(write, script.world.now));
  EXPECT_FALSE(script.world.a.give_up(read, script.world.now));
  EXPECT_FALSE(script.world.a.give_up(12345, script.world.now));
}

}  // namespace
}  // namespace wirelaw::efa
