// SPDX-License-Identifier: Apache-2.0
// Random packets, networks and calls break nothing.
#include <gtest/gtest.h>

#include <random>

#include "reference/efa/test_victim.h"

namespace wirelaw::efa {
namespace {

// A random packet that more or less fits the state.
OctetBuffer invented(std::mt19937_64& random, const std::vector<RmaIov>& regions,
                     const std::vector<OctetBuffer>& received, bool big) {
  if (random() % 10 == 0 && !received.empty()) {
    OctetBuffer octets = received[random() % received.size()];
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

// Makes a random call, or none.
void call_something(Endpoint& endpoint, std::mt19937_64& random, const RmaIov& region, PeerId peer, Instant now) {
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
      endpoint.atomic(peer, {.call = AtomicCall::fetch, .operand = OctetBuffer(8), .on = {{region.addr, 8, 1}}}, now);
      break;
    default:
      break;
  }
}

// Requires only that nothing breaks and memory stays bounded.
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
    std::vector<OctetBuffer> received;
    Instant now{};
    for (unsigned step = 0; step < 6'000; ++step) {
      now += Instant(static_cast<Instant::rep>(random() % 20'000'000));
      const PeerId peer = random() % 3;
      endpoint.receive(peer, invented(random, regions, received, seed % 2 == 0), now);
      call_something(endpoint, random, regions[random() % regions.size()], peer, now);
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
        if (received.size() < 200) received.push_back(out.octets);
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

// Options with which calls of a few thousand octets use all subprotocols, depending on their length.
Options every_way() {
  Options options = with_rdma();
  options.mtu = 600;
  options.max_medium = 2'000;
  options.min_read_message = options.min_read_write = 6'000;
  options.runt_octets = 1'000;
  return options;
}
// Makes this number of calls of each kind from a to b, of all lengths up to 8000 octets.
void keep_busy(World& world, unsigned rounds) {
  const RmaIov region = world.b.memory().add(OctetBuffer(8'000), Access::read_write);
  for (unsigned i = 0; i < rounds; ++i) {
    const std::size_t size = (i * 997) % 8'000;
    world.b.post_receive({.octets = 8'000}, world.now);
    world.a.send(kB, {.data = pattern(size, i), .delivery_complete = i % 3 == 0}, world.now);
    world.a.write(kB, {.data = pattern(size), .to = {{region.addr, size, region.key}}}, world.now);
    world.a.read(kB, {.from = {{region.addr, size, region.key}}}, world.now);
    world.a.atomic(kB, {.call = AtomicCall::fetch, .operand = OctetBuffer(8), .on = {{region.addr, 8, region.key}}},
                   world.now);
  }
}

// Two honest endpoints and a network that loses, doubles and reorders: every call ends, and no state remains.
TEST(Hostile, NetworksLeaveNothingBehind) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Options options = every_way();
    options.registrations = seed % 3;
    World world(options, options, {.loss = 0.08, .duplication = 0.1, .reordering = 1}, seed);
    keep_busy(world, 30);
    world.wait();
    EXPECT_EQ(world.done_a.size(), 120u) << seed;
    EXPECT_EQ(world.a.operations(), 0u);
    for (const Completion& one : world.done_b) EXPECT_LE(one.data.size(), 8'000u);
    world.b.remove_peer(kA);
    EXPECT_EQ(world.b.operations() + world.b.octets_held(), 0u);
  }
}

// Requires only that nothing breaks.
TEST(Hostile, DeviationsOfEitherSideBreakNothing) {
  for (const DeviationInfo& info : all_deviations())
    for (const bool on_a : {true, false}) {
      Options options = every_way();
      options.held_octets = 200'000;
      const Deviations faults{info.deviation};
      World world(options, options, {.loss = 0.03, .duplication = 0.1, .reordering = 1}, 5,
                  on_a ? faults : Deviations{}, on_a ? Deviations{} : faults);
      keep_busy(world, 10);
      world.wait();
      EXPECT_LE(world.a.octets_held(), 200'000u);
      EXPECT_LE(world.b.octets_held(), 200'000u);
      EXPECT_LE(world.done_a.size(), 40u) << info.name;
    }
}

}  // namespace
}  // namespace wirelaw::efa
