// SPDX-License-Identifier: Apache-2.0
// Forged packets have no effect: every ID from the wire is looked up, and every length checked.
#include <gtest/gtest.h>

#include "reference/efa/test_victim.h"

namespace wirelaw::efa {
namespace {

using namespace std::chrono_literals;

TEST(Hostile, PacketsOfNoFormatAreDroppedWhateverTheirType) {
  Victim victim;
  for (unsigned type = 0; type < 256; ++type) {
    const Layout* const layout = find_layout(static_cast<std::uint8_t>(type));
    if (layout != nullptr && layout->has_format()) continue;
    for (const unsigned high : {0x00u, 0x80u}) {
      const OctetBuffer octets{static_cast<Octet>(type), 4, 0, static_cast<Octet>(high), 1, 2, 3, 4, 5, 6, 7, 8};
      victim.endpoint.receive(kStranger, octets, 0s);
    }
  }
  EXPECT_EQ(victim.endpoint.dropped(Drop::unknown_type), 2u * (256 - 36));
  EXPECT_TRUE(victim.sent().empty());
  EXPECT_EQ(victim.endpoint.peers(), 0u);
}

TEST(Hostile, EveryPacketCutShortIsDroppedOrHarmless) {
  Victim victim;
  for (const Layout& layout : all_layouts())
    for (std::size_t size = 0; size < 60; ++size) {
      OctetBuffer octets(size, 0xff);
      if (size > 0) octets[0] = layout.id();
      if (size > 1) octets[1] = 4;
      if (size > 3) octets[3] = 0x80;
      victim.endpoint.receive(kStranger, octets, 0s);
    }
  EXPECT_GT(victim.endpoint.dropped(Drop::malformed), 500u);
  EXPECT_EQ(victim.endpoint.operations(), 0u);
}

TEST(Hostile, IdsThatNameNothingAreDropped) {
  Victim victim;
  victim.shake_hands();
  victim.endpoint.send(kStranger, {.data = {1}}, 0s);
  victim.sent();
  std::uint64_t expected = 0;
  for (const std::uint32_t id : {0u, 1u, 7u, 0xffffu, 0x10000u, 0x7fffffffu, 0xffffffffu})
    for (const PacketType type : {PacketType::cts, PacketType::ctsdata, PacketType::readrsp, PacketType::eor,
                                  PacketType::atomrsp, PacketType::receipt, PacketType::read_nack}) {
      Packet packet = packet_of(type);
      packet.send_id = packet.recv_id = id;
      packet.recv_length = 1;
      victim.take(packet);
      EXPECT_EQ(victim.endpoint.dropped(Drop::unknown_id), ++expected) << describe(type).name << " " << id;
    }
  EXPECT_TRUE(victim.sent().empty());
}

TEST(Hostile, IdsOfOtherPeersAndOtherStagesAreDropped) {
  Victim victim;
  victim.shake_hands();
  victim.endpoint.send(kStranger, {.data = pattern(100'000), .transfer = Transfer::long_cts}, 0s);
  const std::uint32_t send_id = victim.last(PacketType::longcts_msgrtm).send_id;
  Packet cts = packet_of(PacketType::cts);
  cts.send_id = send_id;
  cts.recv_length = 1000;
  victim.take(cts, 77);
  EXPECT_EQ(victim.endpoint.dropped(Drop::unknown_id), 1u) << "another peer's";
  for (const PacketType type : {PacketType::eor, PacketType::receipt, PacketType::read_nack}) {
    Packet packet = packet_of(type);
    packet.send_id = send_id;
    victim.take(packet);
  }
  EXPECT_EQ(victim.endpoint.dropped(Drop::unknown_id), 4u) << "the operation waits for a CTS";
  EXPECT_TRUE(victim.done().empty());
}

TEST(Hostile, IdsThatHaveEndedStayDeadWhenTheirPlaceIsUsedAgain) {
  Victim victim;
  victim.shake_hands();
  std::uint32_t old_id = 0;
  for (int round = 0; round < 3; ++round) {
    victim.endpoint.send(kStranger, {.data = {1}, .delivery_complete = true}, 0s);
    Packet receipt = packet_of(PacketType::receipt);
    const Packet request = victim.last(PacketType::dc_eager_msgrtm);
    receipt.msg_id = request.msg_id;
    if (round > 0) {
      receipt.send_id = old_id;
      victim.take(receipt);
      EXPECT_TRUE(victim.done().empty());
    }
    receipt.send_id = old_id = request.send_id;
    victim.take(receipt);
    EXPECT_EQ(victim.done().size(), 1u);
    victim.take(receipt);
    EXPECT_TRUE(victim.done().empty()) << "a second RECEIPT completes nothing";
  }
}

TEST(Hostile, CtsForNothingOrForEverythingIsBounded) {
  Victim victim;
  victim.shake_hands();
  victim.endpoint.send(kStranger, {.data = pattern(50'000), .transfer = Transfer::long_cts}, 0s);
  Packet cts = packet_of(PacketType::cts);
  cts.send_id = victim.last(PacketType::longcts_msgrtm).send_id;
  victim.take(cts);
  EXPECT_EQ(victim.endpoint.dropped(Drop::contradicts), 1u);
  cts.recv_length = ~std::uint64_t{0};
  victim.take(cts);
  std::uint64_t octets = 0;
  for (const Seen& one : victim.sent()) octets += one.packet.payload.size();
  EXPECT_LT(octets, 50'000u);
  EXPECT_EQ(victim.done().size(), 1u);
}

TEST(Hostile, CtsdataThatContradictsItselfOrTheMessageIsDropped) {
  Victim victim;
  victim.shake_hands();
  victim.endpoint.post_receive({.octets = 1000}, 0s);
  Packet request = packet_of(PacketType::longcts_msgrtm);
  request.msg_length = 1000;
  victim.take(request);
  const std::uint32_t recv_id = victim.last(PacketType::cts).recv_id;
  const OctetBuffer data(10, 1);
  struct Row {
    std::uint64_t length, offset;
  };
  for (const Row& row : {Row{9, 0}, Row{11, 0}, Row{~std::uint64_t{0}, 0}, Row{10, 991}, Row{10, 1000}, Row{10, 1001},
                         Row{10, ~std::uint64_t{0}}, Row{10, ~std::uint64_t{0} - 9}}) {
    Packet packet = packet_of(PacketType::ctsdata);
    packet.recv_id = recv_id;
    packet.seg_length = row.length;
    packet.seg_offset = row.offset;
    packet.payload = data;
    victim.take(packet);
  }
  EXPECT_EQ(victim.endpoint.dropped(Drop::contradicts), 8u);
  EXPECT_TRUE(victim.done().empty());
}

TEST(Hostile, MediumSegmentsThatContradictEachOtherAreDropped) {
  Victim victim;
  const OctetBuffer data = pattern(10);
  const auto segment = [&](std::uint64_t length, std::uint64_t offset) {
    Packet packet = packet_of(PacketType::medium_msgrtm);
    packet.seg_length = length;
    packet.seg_offset = offset;
    packet.payload = data;
    victim.take(packet);
  };
  victim.endpoint.post_receive({.octets = 100}, 0s);
  segment(30, 0);
  segment(31, 10);
  segment(30, 21);
  segment(30, ~std::uint64_t{0});
  EXPECT_EQ(victim.endpoint.dropped(Drop::contradicts), 3u);
  segment(30, 0);
  EXPECT_EQ(victim.endpoint.dropped(Drop::duplicate), 1u);
  segment(30, 5);  // overlaps, but is within the message
  segment(30, 20);
  segment(30, 10);
  const auto done = victim.done();
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].data.size(), 30u);
}

TEST(Hostile, RequestsForMemoryThatIsNotTheirsAreDropped) {
  const RmaIov region = Victim().endpoint.memory().add(OctetBuffer(100), Access::read_write);  // the same in each
  const OctetBuffer data(8, 0xee);
  for (const PacketType type : {PacketType::eager_rtw, PacketType::dc_eager_rtw, PacketType::longcts_rtw,
                                PacketType::longread_rtw, PacketType::short_rtr, PacketType::longcts_rtr,
                                PacketType::write_rta, PacketType::fetch_rta, PacketType::dc_write_rta})
    for (const RmaIov& iov : {RmaIov{region.addr, 8, region.key + 1}, RmaIov{region.addr + 93, 8, region.key},
                              RmaIov{region.addr - 1, 8, region.key}, RmaIov{~std::uint64_t{0} - 3, 8, region.key}}) {
      OctetBuffer iovs, remote;
      encode(iov, iovs);
      encode(RmaIov{0, 8, 0}, remote);
      Packet packet = packet_of(type);
      packet.rma_iov = iovs;
      packet.rma_iov_count = 1;
      packet.read_iov = remote;
      packet.read_iov_count = 1;
      packet.msg_length = 8;
      packet.recv_length = 8;
      packet.atomic_datatype = 7;
      packet.payload = data;
      Victim victim;
      EXPECT_EQ(victim.endpoint.memory().add(OctetBuffer(100), Access::read_write), region);
      victim.shake_hands();
      victim.take(packet);
      EXPECT_EQ(victim.endpoint.dropped(Drop::contradicts), 1u) << describe(type).name;
      EXPECT_EQ(victim.endpoint.operations(), 0u);
      EXPECT_TRUE(victim.sent().empty());
    }
}

TEST(Hostile, AtomicsThatAreNotDefinedAreDroppedAndHaveHadTheirTurn) {
  Victim victim;
  victim.shake_hands();
  const RmaIov region = victim.endpoint.memory().add(OctetBuffer(16), Access::read_write);
  OctetBuffer iovs;
  encode(RmaIov{region.addr, 8, region.key}, iovs);
  const OctetBuffer data(16, 1);
  struct Row {
    PacketType type;
    std::uint32_t op, datatype;
    std::size_t octets;
  };
  std::uint32_t msg_id = 0;
  for (const Row& row : {Row{PacketType::write_rta, 19, 7, 8}, Row{PacketType::write_rta, 2, 14, 8},
                         Row{PacketType::write_rta, 10, 7, 8}, Row{PacketType::fetch_rta, 12, 7, 8},
                         Row{PacketType::compare_rta, 2, 7, 16}, Row{PacketType::compare_rta, 12, 7, 8},
                         Row{PacketType::fetch_rta, 6, 9, 8}, Row{PacketType::write_rta, 2, 7, 7},
                         Row{PacketType::write_rta, 2, 12, 8}, Row{PacketType::fetch_rta, 0xffffffff, 0xffffffff, 8}}) {
    Packet packet = packet_of(row.type);
    packet.msg_id = msg_id++;
    packet.rma_iov = iovs;
    packet.rma_iov_count = 1;
    packet.atomic_op = row.op;
    packet.atomic_datatype = row.datatype;
    packet.payload = Octets(data).first(row.octets);
    victim.take(packet);
    EXPECT_EQ(victim.endpoint.dropped(Drop::contradicts), msg_id);
  }
  EXPECT_TRUE(victim.sent().empty());
  EXPECT_EQ(victim.endpoint.memory().octets(region.key)[0], 0);
  victim.endpoint.post_receive({.octets = 9}, 0s);
  victim.take(eager(msg_id, data));
  EXPECT_EQ(victim.done().size(), 1u) << "what follows them has its turn";
}

TEST(Hostile, ReadIovsThatDoNotSumUpAreDropped) {
  Victim victim;
  victim.shake_hands();
  victim.endpoint.post_receive({.octets = 100}, 0s);
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{99}, ~std::uint64_t{0}}) {
    OctetBuffer iov;
    encode(RmaIov{1, length, 1}, iov);
    Packet packet = packet_of(PacketType::longread_msgrtm);
    packet.msg_length = 100;
    packet.read_iov = iov;
    packet.read_iov_count = 1;
    packet.msg_id = static_cast<std::uint32_t>(victim.endpoint.dropped(Drop::contradicts));
    victim.take(packet);
  }
  EXPECT_EQ(victim.endpoint.dropped(Drop::contradicts), 3u);
  RdmaWork work;
  EXPECT_FALSE(victim.endpoint.next_rdma(work));
}

TEST(Hostile, ALengthOfManyExabytesCostsNothing) {
  Victim victim;
  victim.shake_hands();
  victim.endpoint.post_receive({.octets = 1000}, 0s);
  Packet request = packet_of(PacketType::longcts_msgrtm);
  request.msg_length = ~std::uint64_t{0};
  victim.take(request);
  const Packet cts = victim.last(PacketType::cts);
  EXPECT_LE(cts.recv_length, 64u * 8928);
  victim.now = 10s;
  victim.endpoint.advance(10s);
  EXPECT_EQ(victim.done().at(0).status, Status::vanished);
}

}  // namespace
}  // namespace wirelaw::efa
