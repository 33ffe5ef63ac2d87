// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/srd/connids.h"

#include <gtest/gtest.h>

#include "harness/transports/srd/address.h"
#include "reference/efa/packet.h"

namespace wirelaw {
namespace {

const Gid kGid{0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7};
const pcap::Endpoint kSender = endpoint_of({kGid, 5, 0});

OctetBuffer with_raw_address(const Gid& gid, std::uint16_t qpn, std::uint32_t connid) {
  OctetBuffer address;
  efa::encode(efa::RawAddress{.gid = gid, .qpn = qpn, .connid = connid}, address);
  efa::Packet packet = efa::packet_of(efa::PacketType::eager_msgrtm);
  packet.flags |= efa::flag::kRawAddress;
  packet.raw_address = address;
  packet.raw_address_size = static_cast<std::uint32_t>(address.size());
  return encode(packet);
}

OctetBuffer with_connid(std::uint32_t connid) {
  efa::Packet packet = efa::packet_of(efa::PacketType::cts);
  packet.flags |= efa::flag::kConnid;
  packet.connid = connid;
  return encode(packet);
}

TEST(SrdConnids, StandInTheRawAddressOfTheSender) {
  SrdConnids connids;
  EXPECT_EQ(connids.of(kSender), std::nullopt);
  connids.learn(kSender, with_raw_address(kGid, 5, 0x1234));
  EXPECT_EQ(connids.of(kSender), 0x1234u);
  connids.learn(kSender, with_raw_address(kGid, 5, 0x5678));
  EXPECT_EQ(connids.of(kSender), 0x5678u) << "another endpoint in its place";
}

TEST(SrdConnids, AnAddressOfSomebodyElseSaysNothing) {
  SrdConnids connids;
  connids.learn(kSender, with_raw_address(kGid, 6, 0x1234));
  connids.learn(kSender, with_raw_address(Gid{}, 5, 0x1234));
  connids.learn(kSender, OctetBuffer{1, 2, 3});
  EXPECT_EQ(connids.of(kSender), std::nullopt);
}

TEST(SrdConnids, AHeaderHoldsOnlyAsLongAsThereHasBeenNone) {
  SrdConnids connids;
  connids.learn(kSender, with_connid(0x1111));
  EXPECT_EQ(connids.of(kSender), 0x1111u);
  connids.learn(kSender, with_connid(0x2222));
  EXPECT_EQ(connids.of(kSender), 0x1111u);
  connids.learn(kSender, with_raw_address(kGid, 5, 0x3333));
  EXPECT_EQ(connids.of(kSender), 0x3333u);
}

}  // namespace
}  // namespace wirelaw
