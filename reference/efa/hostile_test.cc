// SPDX-License-Identifier: Apache-2.0
// What a peer must not be able to do: every ID from the wire is looked up, every length checked, and memory bounded.
#include <gtest/gtest.h>

#include <random>

#include "reference/efa/test_world.h"

namespace wirelaw::efa {
namespace {

using namespace std::chrono_literals;

constexpr PeerId kStranger = 9;

OctetBuffer hex(std::string_view text) {
  return *from_hex(text);
}

// An endpoint and a peer whose packets are written by hand.
struct Victim {
  explicit Victim(Options options = with_rdma()) : endpoint(options, 1) {}

  void take(const Packet& packet, PeerId from = kStranger) { endpoint.receive(from, encode(packet), now); }
  void take(std::string_view text) { endpoint.receive(kStranger, hex(text), now); }
  std::vector<Seen> sent() {
    std::vector<Seen> all;
    Outgoing out;
    while (endpoint.next_datagram(out)) all.emplace_back(out.to, out.octets);
    return all;
  }
  std::vector<Completion> done() {
    std::vector<Completion> all;
    Completion completion;
    while (endpoint.next_completion(completion)) all.push_back(completion);
    return all;
  }
  // A HANDSHAKE that announces everything.
  void shake_hands() {
    take("09040000 04000000 7f00000000000000");
    sent();
  }
  Packet last(PacketType type) {
    Packet found;
    for (kept = sent(); const Seen& one : kept)
      if (one.packet.is(type)) found = one.packet;
    EXPECT_TRUE(found.is(type));
    return found;
  }

  Instant now{};
  Endpoint endpoint;
  std::vector<Seen> kept;
};

Packet eager(std::uint32_t msg_id, Octets payload) {
  Packet packet = packet_of(PacketType::eager_msgrtm);
  packet.msg_id = msg_id;
  packet.payload = payload;
  return packet;
}

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
  EXPECT_EQ(victim.endpoint.dropped(Drop::unknown_type), 2u * (256 - 35));
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
  segment(30, 5);  // overlaps, and is within
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

// ------------------------------------------------------------------------------------------------- bounded memory

Options tight() {
  Options options = with_rdma();
  options.held_octets = 100'000;
  options.max_operations = 64;
  options.max_peers = 8;
  options.most_gaps = 16;
  return options;
}

void expect_bounded(const Endpoint& endpoint) {
  ASSERT_LE(endpoint.octets_held(), 100'000u);
  ASSERT_LE(endpoint.operations(), 128u);
  ASSERT_LE(endpoint.peers(), 8u);
}

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

// A packet that fits what is going on more or less.
OctetBuffer invented(std::mt19937_64& random, const std::vector<RmaIov>& regions, const std::vector<OctetBuffer>& heard,
                     bool big) {
  if (random() % 10 == 0 && !heard.empty()) {
    OctetBuffer octets = heard[random() % heard.size()];
    for (std::uint64_t changes = random() % 3; changes > 0 && !octets.empty(); --changes)
      octets[random() % std::min<std::size_t>(octets.size(), 64)] = static_cast<Octet>(random());
    if (random() % 4 == 0) octets.resize(random() % (octets.size() + 1));
    return octets;
  }
  const auto small = [&](std::uint64_t most) { return static_cast<std::uint32_t>(random() % most); };
  Packet packet = packet_of(all_layouts()[random() % all_layouts().size()].type);
  OctetBuffer iov, read_iov, extra, address, payload(small(big ? 3'000 : 40));
  for (std::uint32_t i = small(3); i > 0; --i) {
    RmaIov one = regions[random() % regions.size()];
    one.addr += small(20);
    one.len = random() % 8 == 0 ? random() : small(200);
    encode(one, iov);
    encode(one, read_iov);
  }
  packet.rma_iov = iov;
  packet.read_iov = read_iov;
  packet.rma_iov_count = static_cast<std::uint32_t>(rma_iov_count(iov));
  packet.read_iov_count = static_cast<std::uint32_t>(rma_iov_count(read_iov));
  packet.msg_id = random() % 20 == 0 ? static_cast<std::uint32_t>(random()) : small(40);
  packet.send_id = small(6) | small(4) << 16;
  packet.recv_id = small(6) | small(4) << 16;
  const std::uint64_t sum = total_length(iov).value_or(0);
  packet.msg_length = random() % 3 == 0 ? small(5'000) : sum;
  packet.seg_length = random() % 3 == 0 ? small(200) : payload.size();
  packet.recv_length = random() % 3 == 0 ? small(5'000) : payload.size();
  packet.runt_length = small(100);
  packet.seg_offset = random() % 2 == 0 ? 0 : small(300);
  packet.tag = small(3);
  packet.atomic_op = small(20);
  packet.atomic_datatype = small(15);
  packet.nextra_p3 = 4;
  Writer(extra).little_endian(random() & 0x7f);
  packet.extra_info = extra;
  packet.payload = payload;
  if (random() % 4 == 0) packet.flags |= static_cast<std::uint16_t>(random() & 0x8083);
  packet.raw_address_size = 0;
  if (packet.has(flag::kConnid)) packet.connid = small(2) + 1;
  return encode(packet);
}

// No promise is kept here but that nothing breaks and memory stays bounded.
TEST(Hostile, InventedPacketsBreakNothing) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    std::mt19937_64 random(seed);
    Options options = tight();
    options.address.connid = 5;
    options.registrations = seed % 4;
    options.mtu = 512;
    options.min_read_message = options.min_read_write = 1000;
    Endpoint endpoint(options, seed);
    std::vector<RmaIov> regions;
    for (int i = 0; i < 4; ++i) regions.push_back(endpoint.memory().add(OctetBuffer(1000), Access::read_write));
    std::vector<OctetBuffer> heard;
    Instant now{};
    for (unsigned step = 0; step < 6'000; ++step) {
      now += Instant(static_cast<Instant::rep>(random() % 20'000'000));
      const PeerId peer = random() % 3;
      endpoint.receive(peer, invented(random, regions, heard, seed % 2 == 0), now);
      const RmaIov& region = regions[random() % regions.size()];
      const bool dc = random() % 2 == 0;
      switch (random() % 12) {
        case 0:
          endpoint.post_receive({.octets = random() % 3'000}, now);
          break;
        case 1:
          endpoint.post_receive({.octets = random() % 3'000, .tag = ReceiveCall::TagMatch{random() % 3, 0}}, now);
          break;
        case 2:
          endpoint.send(peer, {.data = OctetBuffer(random() % 6'000), .delivery_complete = dc}, now);
          break;
        case 3:
          endpoint.write(peer, {.data = OctetBuffer(1000), .to = {region}, .delivery_complete = dc}, now);
          break;
        case 4:
          endpoint.read(peer, {.from = {region}}, now);
          break;
        case 5:
          endpoint.atomic(peer, {.call = AtomicCall::fetch, .operand = OctetBuffer(8), .on = {{region.addr, 8, 1}}},
                          now);
          break;
        default:
          break;
      }
      if (random() % 400 == 0) endpoint.remove_peer(peer);
      endpoint.advance(now);
      RdmaWork work;
      while (endpoint.next_rdma(work))
        endpoint.rdma_done(work.id, random() % 4 != 0, OctetBuffer(static_cast<std::size_t>(work.remote.len)), now);
      Outgoing out;
      while (endpoint.next_datagram(out)) {
        ASSERT_LE(out.octets.size(), options.mtu);
        const auto packet = decode(out.octets);
        ASSERT_TRUE(packet);
        ASSERT_NE(packet->layout(), nullptr);
        ASSERT_EQ(packet->flags & ~packet->layout()->allowed, 0) << packet->layout()->name;
        if (heard.size() < 200) heard.push_back(out.octets);
      }
      Completion completion;
      while (endpoint.next_completion(completion)) {
      }
      expect_bounded(endpoint);
    }
    for (PeerId peer = 0; peer < 3; ++peer) endpoint.remove_peer(peer);
    EXPECT_EQ(endpoint.operations(), 0u);
    EXPECT_EQ(endpoint.octets_held(), 0u) << "everything that was held belonged to a peer";
    EXPECT_FALSE(endpoint.deadline());
  }
}

// Two honest endpoints and a network that loses, doubles and reorders: every call ends, and nothing is left over.
TEST(Hostile, NetworksLeaveNothingBehind) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Options options = with_rdma();
    options.mtu = 600;
    options.max_medium = 2'000;
    options.min_read_message = options.min_read_write = 6'000;
    options.runt_octets = 1'000;
    options.registrations = seed % 3;
    World world(options, options, {.reorder = true, .doubling = 10, .loss = 8}, seed);
    const RmaIov region = world.b.memory().add(OctetBuffer(8'000), Access::read_write);
    for (unsigned i = 0; i < 30; ++i) {
      const std::size_t size = (i * 997) % 8'000;
      world.b.post_receive({.octets = 8'000}, world.now);
      world.a.send(kB, {.data = pattern(size, i), .delivery_complete = i % 3 == 0}, world.now);
      world.a.write(kB, {.data = pattern(size), .to = {{region.addr, size, region.key}}}, world.now);
      world.a.read(kB, {.from = {{region.addr, size, region.key}}}, world.now);
      world.a.atomic(kB, {.call = AtomicCall::fetch, .operand = OctetBuffer(8), .on = {{region.addr, 8, region.key}}},
                     world.now);
    }
    world.wait();
    EXPECT_EQ(world.done_a.size(), 120u) << seed;
    EXPECT_EQ(world.a.operations(), 0u);
    for (const Completion& one : world.done_b) EXPECT_LE(one.data.size(), 8'000u);
    world.b.remove_peer(kA);
    EXPECT_EQ(world.b.operations() + world.b.octets_held(), 0u);
  }
}

// No promise is kept here but that nothing breaks.
TEST(Hostile, DeviationsOfEitherSideBreakNothing) {
  for (const DeviationInfo& info : all_deviations())
    for (const bool on_a : {true, false}) {
      Options options = with_rdma();
      options.mtu = 600;
      options.max_medium = 2'000;
      options.min_read_message = options.min_read_write = 6'000;
      options.runt_octets = 1'000;
      options.held_octets = 200'000;
      const Deviations faults{info.deviation};
      World world(options, options, {.reorder = true, .doubling = 10, .loss = 3}, 5, on_a ? faults : Deviations{},
                  on_a ? Deviations{} : faults);
      const RmaIov region = world.b.memory().add(OctetBuffer(8'000), Access::read_write);
      for (unsigned i = 0; i < 10; ++i) {
        const std::size_t size = (i * 997) % 8'000;
        world.b.post_receive({.octets = 8'000}, world.now);
        world.a.send(kB, {.data = pattern(size, i), .delivery_complete = i % 3 == 0}, world.now);
        world.a.write(kB, {.data = pattern(size), .to = {{region.addr, size, region.key}}}, world.now);
        world.a.read(kB, {.from = {{region.addr, size, region.key}}}, world.now);
        world.a.atomic(kB, {.call = AtomicCall::fetch, .operand = OctetBuffer(8), .on = {{region.addr, 8, region.key}}},
                       world.now);
      }
      world.wait();
      EXPECT_LE(world.a.octets_held(), 200'000u);
      EXPECT_LE(world.b.octets_held(), 200'000u);
      EXPECT_LE(world.done_a.size(), 40u) << info.name;
    }
}

}  // namespace
}  // namespace wirelaw::efa
