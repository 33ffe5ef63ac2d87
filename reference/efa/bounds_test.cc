// SPDX-License-Identifier: Apache-2.0
// A peer cannot make the endpoint hold more than its options allow.
#include <gtest/gtest.h>

#include "reference/efa/test_victim.h"

namespace wirelaw::efa {
namespace {

using namespace std::chrono_literals;

TEST(Bounds, HoldAgainstMessagesThatNobodyReceives) {
  Victim victim(tight());
  const OctetBuffer data(5'000);
  for (std::uint32_t id = 0; id < 1000; ++id) {
    victim.take(eager(id, data));
    expect_bounded(victim.endpoint);
  }
  EXPECT_GT(victim.endpoint.dropped(Drop::no_room), 0u);
  victim.endpoint.post_receive({.octets = 5'000}, 0s);
  EXPECT_EQ(victim.done().size(), 1u);
  victim.take(eager(19, data));
  EXPECT_LE(victim.endpoint.octets_held(), 100'000u);
}

TEST(Bounds, HoldAgainstMessagesOutOfOrder) {
  Victim victim(tight());
  const OctetBuffer data(5'000);
  for (std::uint32_t id = 1; id < 5000; ++id) {
    victim.take(eager(id, data));
    expect_bounded(victim.endpoint);
  }
  victim.take(eager(20'000, data));
  EXPECT_EQ(victim.endpoint.dropped(Drop::out_of_window), 1u);
  EXPECT_GT(victim.endpoint.octets_held(), 90'000u);
  victim.now = 10s;
  victim.endpoint.advance(10s);
  EXPECT_EQ(victim.endpoint.octets_held(), 0u) << "what waits for a packet that never comes is let go";
  EXPECT_FALSE(victim.endpoint.deadline());
}

TEST(Bounds, HoldAgainstTheSamePacketOutOfOrderAgainAndAgain) {
  Victim victim(tight());
  for (int i = 0; i < 1000; ++i) victim.take(eager(5, pattern(10)));
  EXPECT_EQ(victim.endpoint.dropped(Drop::duplicate), 999u);
  EXPECT_LT(victim.endpoint.octets_held(), 1'000u);
}

TEST(Bounds, HoldAgainstOperationsThatNeverGoOn) {
  Victim victim(tight());
  victim.shake_hands();
  const RmaIov region = victim.endpoint.memory().add(OctetBuffer(100'000), Access::read_write);
  OctetBuffer iov;
  encode(region, iov);
  for (std::uint32_t id = 0; id < 1000; ++id)
    for (const PacketType type :
         {PacketType::longcts_rtw, PacketType::longcts_rtr, PacketType::longread_rtw, PacketType::longcts_msgrtm}) {
      Packet packet = packet_of(type);
      packet.send_id = packet.recv_id = packet.msg_id = id;
      packet.msg_length = region.len;
      packet.recv_length = 1;
      packet.rma_iov = packet.read_iov = iov;
      packet.rma_iov_count = packet.read_iov_count = 1;
      victim.take(packet);
      expect_bounded(victim.endpoint);
    }
  victim.sent();
  EXPECT_GT(victim.endpoint.dropped(Drop::no_room), 1000u);
  victim.endpoint.send(77, {.data = {1}}, 0s);
  EXPECT_EQ(victim.sent().size(), 1u) << "its own calls still have room";
}

TEST(Bounds, HoldAgainstSplinteredMessages) {
  Victim victim(tight());
  victim.shake_hands();
  victim.endpoint.post_receive({.octets = 100'000}, 0s);
  Packet request = packet_of(PacketType::longcts_msgrtm);
  request.msg_length = 100'000;
  victim.take(request);
  Packet data = packet_of(PacketType::ctsdata);
  data.recv_id = victim.last(PacketType::cts).recv_id;
  const OctetBuffer octet(1);
  data.payload = octet;
  data.seg_length = 1;
  for (std::uint64_t at = 1; at < 1000; at += 2) {
    data.seg_offset = at;
    victim.take(data);
  }
  EXPECT_EQ(victim.endpoint.dropped(Drop::no_room), 500u - 17);
}

TEST(Bounds, HoldAgainstManyPeers) {
  Victim victim(tight());
  for (PeerId peer = 0; peer < 1000; ++peer) {
    victim.now += 1ms;
    victim.take(eager(0, pattern(10)), peer);
    expect_bounded(victim.endpoint);
    victim.sent();
  }
  EXPECT_GT(victim.endpoint.dropped(Drop::no_room), 900u) << "the peers that have something open stay";
}

TEST(Bounds, LetAnIdlePeerGoForANewOne) {
  Victim victim(tight());
  for (PeerId peer = 0; peer < 100; ++peer) {
    victim.now += 1ms;
    victim.take(packet_of(PacketType::eager_rtw), peer);
    expect_bounded(victim.endpoint);
  }
  EXPECT_EQ(victim.sent().size(), 100u);
}

}  // namespace
}  // namespace wirelaw::efa
