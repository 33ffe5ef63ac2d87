// SPDX-License-Identifier: Apache-2.0
// Endpoint against endpoint: writes, reads and atomics (3.3, 4). Checks the packets, and the results of the
// applications.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/efa/endpoint.h"
#include "reference/efa/test_world.h"

namespace wirelaw::efa {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::UnorderedElementsAre;
using namespace std::chrono_literals;

struct WriteCase {
  const char* name;
  std::size_t size;
  std::optional<Transfer> transfer;
  bool delivery_complete;
  const char* request;
};

class Write : public testing::TestWithParam<WriteCase> {};

TEST_P(Write, ReachesTheMemoryItNames) {
  const WriteCase& wanted = GetParam();
  for (const bool reorder : {false, true}) {
    World world(with_rdma(), with_rdma(), {.duplication = reorder ? 0.3 : 0, .reordering = reorder ? 1.0 : 0});
    shake_hands(world);
    const RmaIov one = world.b.memory().add(OctetBuffer(wanted.size + 10), Access::write);
    const RmaIov two = world.b.memory().add(OctetBuffer(20), Access::write);
    const std::size_t first = wanted.size / 2;
    world.a.write(kB,
                  {.data = pattern(wanted.size),
                   .to = {{one.addr + 10, first, one.key}, {two.addr, wanted.size - first, two.key}},
                   .cq_data = 9,
                   .delivery_complete = wanted.delivery_complete,
                   .transfer = wanted.transfer},
                  world.now);
    world.run();
    EXPECT_TRUE(world.done_b.empty()) << "the second region is too short";
    world.done_a.clear();
    const RmaIov large = world.b.memory().add(OctetBuffer(wanted.size), Access::write);
    world.a.write(kB,
                  {.data = pattern(wanted.size),
                   .to = {{one.addr + 10, first, one.key}, {large.addr, wanted.size - first, large.key}},
                   .cq_data = 9,
                   .delivery_complete = wanted.delivery_complete,
                   .transfer = wanted.transfer},
                  world.now);
    world.run();
    EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
    ASSERT_GE(world.done_b.size(), 1u);
    EXPECT_EQ(world.done_b[0].kind, Completion::Kind::remote_write);
    EXPECT_EQ(world.done_b[0].cq_data, 9u);
    OctetBuffer written(world.b.memory().octets(one.key).begin() + 10,
                        world.b.memory().octets(one.key).begin() + 10 + static_cast<std::ptrdiff_t>(first));
    const Octets rest = world.b.memory().octets(large.key).first(wanted.size - first);
    written.insert(written.end(), rest.begin(), rest.end());
    EXPECT_EQ(written, pattern(wanted.size));
    EXPECT_EQ(world.sent(kA).front(), wanted.request);
    const PacketType proof = wanted.transfer == Transfer::long_read ? PacketType::eor : PacketType::receipt;
    if (!reorder && wanted.delivery_complete) {
      EXPECT_EQ(world.count(proof), 1u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Subprotocols, Write,
                         testing::Values(WriteCase{"Eager", 1000, {}, false, "EAGER_RTW"},
                                         WriteCase{"LongCts", 100'000, {}, false, "LONGCTS_RTW"},
                                         WriteCase{"DcEager", 1000, {}, true, "DC_EAGER_RTW"},
                                         WriteCase{"DcLongCts", 100'000, {}, true, "DC_LONGCTS_RTW"},
                                         WriteCase{"LongRead", 100'000, Transfer::long_read, false, "LONGREAD_RTW"},
                                         WriteCase{"LongReadDc", 100'000, Transfer::long_read, true, "LONGREAD_RTW"}),
                         [](const auto& one) { return one.param.name; });

TEST(Writes, OfNothingAreLegal) {
  World world;
  world.a.write(kB, {.data = {}, .to = {}}, 0s);
  world.run();
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
  EXPECT_EQ(world.drops(), 0u);
}

TEST(Writes, WhoseLengthsDisagreeAreRefusedAtOnce) {
  World world;
  world.a.write(kB, {.data = {1, 2}, .to = {{0, 1, 1}}}, 0s);
  world.run();
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::invalid)));
  EXPECT_TRUE(world.seen.empty());
}

TEST(Writes, GoOnAfterAReadNack) {
  Options receiver = with_rdma();
  receiver.registrations = 0;
  World world(with_rdma(), receiver);
  shake_hands(world);
  const RmaIov region = world.b.memory().add(OctetBuffer(100'000), Access::write);
  world.a.write(kB, {.data = pattern(100'000), .to = {region}, .transfer = Transfer::long_read}, world.now);
  world.run();
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::ok)));
  EXPECT_TRUE(std::ranges::equal(world.b.memory().octets(region.key), pattern(100'000)));
  EXPECT_FALSE(world.first(PacketType::longcts_rtw).has(flag::kReadNack)) << "a fresh request (EFA/A-17)";
}

TEST(Reads, GiveWhatTheMemoryHolds) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{8'903}, std::size_t{8'904}, std::size_t{2'000'000}})
    for (const bool reorder : {false, true}) {
      World world({}, {}, {.duplication = reorder ? 0.3 : 0, .reordering = reorder ? 1.0 : 0});
      const RmaIov one = world.b.memory().add(pattern(size), Access::read);
      const RmaIov two = world.b.memory().add(pattern(7), Access::read);
      world.a.read(kB, {.from = {one, two}}, 0s);
      world.run();
      ASSERT_EQ(world.done_a.size(), 1u);
      EXPECT_EQ(world.done_a[0].status, Status::ok);
      OctetBuffer expected = pattern(size);
      const OctetBuffer tail = pattern(7);
      expected.insert(expected.end(), tail.begin(), tail.end());
      EXPECT_EQ(world.done_a[0].data, expected);
      EXPECT_EQ(world.sent(kA).front(), size + 7 < 8'904 ? "SHORT_RTR" : "LONGCTS_RTR");
      EXPECT_EQ(world.a.operations() + world.b.operations(), 0u);
      if (!reorder && size > 1'000'000) {
        EXPECT_GE(world.count(PacketType::cts), 3u);
        EXPECT_TRUE(world.first(PacketType::cts).has(flag::kCtsEmulatedRead));
      }
    }
}

TEST(Reads, OfWhatMayNotBeReadStayUnansweredAndAreGivenUp) {
  World world;
  const RmaIov region = world.b.memory().add(pattern(100), Access::write);
  world.a.read(kB, {.from = {region}}, 0s);
  world.wait();
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::vanished)));
  EXPECT_EQ(world.b.dropped(Drop::contradicts), 1u);
}

TEST(Direct, ReadsAndWritesGoByRdmaAlone) {
  World world(with_rdma(), with_rdma());
  shake_hands(world);
  const RmaIov region = world.b.memory().add(OctetBuffer(1000), Access::read_write);
  world.a.write(kB, {.data = pattern(1000), .to = {region}, .cq_data = 4, .direct = true}, world.now);
  world.run();
  world.a.read(kB, {.from = {region}, .direct = true}, world.now);
  world.run();
  EXPECT_TRUE(world.seen.empty()) << "no packets at all";
  ASSERT_EQ(world.done_a.size(), 2u);
  EXPECT_EQ(world.done_a[1].data, pattern(1000));
  EXPECT_THAT(world.done_b, ElementsAre(Field(&Completion::cq_data, std::optional<std::uint64_t>(4))));
}

TEST(Direct, ImmediateDataHaveNoMoreThanThirtyTwoBits) {
  World world(with_rdma(), with_rdma());
  shake_hands(world);
  const RmaIov region = world.b.memory().add(OctetBuffer(1000), Access::read_write);
  for (const std::uint64_t cq_data : {0xffffffffull, 0x100000000ull})
    world.a.write(kB, {.data = pattern(1000), .to = {region}, .cq_data = cq_data, .direct = true}, world.now);
  world.run();
  EXPECT_THAT(world.done_a, UnorderedElementsAre(Field(&Completion::status, Status::ok),
                                                 Field(&Completion::status, Status::unsupported)));
  EXPECT_THAT(world.done_b, ElementsAre(Field(&Completion::cq_data, std::optional<std::uint64_t>(0xffffffff))));
}

TEST(Direct, ImmediateDataGoByPacketsWherePeersAreUnlikeInIdEight) {
  for (const bool a_has : {false, true})
    for (const bool b_has : {false, true}) {
      World world(a_has ? with_unsolicited_receives() : with_rdma(), b_has ? with_unsolicited_receives() : with_rdma());
      shake_hands(world);
      const RmaIov region = world.b.memory().add(OctetBuffer(1000), Access::read_write);
      world.a.write(kB, {.data = pattern(1000), .to = {region}, .direct = true}, world.now);
      world.run();
      EXPECT_TRUE(world.seen.empty()) << "without immediate data nothing hangs on it";
      world.a.write(kB, {.data = pattern(1000), .to = {region}, .cq_data = 4, .direct = true}, world.now);
      world.run();
      EXPECT_EQ(world.seen.empty(), a_has == b_has) << a_has << b_has;
      EXPECT_THAT(world.done_b, ElementsAre(Field(&Completion::cq_data, std::optional<std::uint64_t>(4))));
    }
}

TEST(Direct, ReadsNeedAPeerThatSupportsThem) {
  World world(with_rdma(), {});
  const RmaIov region = world.b.memory().add(OctetBuffer(1000), Access::read_write);
  world.a.read(kB, {.from = {region}, .direct = true}, 0s);
  world.run();
  EXPECT_THAT(world.done_a, ElementsAre(Field(&Completion::status, Status::unsupported)));
}

TEST(Atomics, WriteFetchAndCompare) {
  World world;
  const RmaIov region = world.b.memory().add(u64({10, 20}), Access::read_write);
  world.a.atomic(kB, {.operand = u64({1, 2}), .on = {region}}, 0s);
  world.run();
  EXPECT_TRUE(std::ranges::equal(world.b.memory().octets(region.key), u64({11, 22})));
  world.a.atomic(kB, {.call = AtomicCall::fetch, .operand = u64({1, 2}), .on = {region}}, 0s);
  world.run();
  EXPECT_EQ(world.done_a.back().data, u64({11, 22})) << "the values before";
  world.a.atomic(kB,
                 {.call = AtomicCall::compare,
                  .op = AtomicOp::cswap,
                  .operand = u64({7, 8}),
                  .compare = u64({12, 0}),
                  .on = {region}},
                 0s);
  world.run();
  EXPECT_EQ(world.done_a.back().data, u64({12, 24}));
  EXPECT_TRUE(std::ranges::equal(world.b.memory().octets(region.key), u64({7, 24})));
  world.a.atomic(kB, {.call = AtomicCall::fetch, .op = AtomicOp::atomic_read, .on = {region}}, 0s);
  world.run();
  EXPECT_EQ(world.done_a.back().data, u64({7, 24}));
  world.a.atomic(kB, {.operand = u64({1, 1}), .on = {region}, .delivery_complete = true}, 0s);
  world.run();
  EXPECT_EQ(world.count(PacketType::receipt), 1u);
  EXPECT_THAT(world.sent(kA),
              ElementsAre("WRITE_RTA", "HANDSHAKE", "FETCH_RTA", "COMPARE_RTA", "FETCH_RTA", "DC_WRITE_RTA"));
  EXPECT_EQ(world.done_a.size(), 5u);
  EXPECT_THAT(world.done_a, Each(Field(&Completion::status, Status::ok)));
}

TEST(Atomics, OfEveryOperationAndDatatypeGoOverTheWire) {
  World world;
  unsigned done = 0;
  for (const AtomicOpInfo& op : all_atomic_ops())
    for (const DatatypeInfo& type : all_datatypes()) {
      const auto call = op.allowed_in(AtomicCall::compare) ? AtomicCall::compare : AtomicCall::fetch;
      const OctetBuffer before(type.octets, 0);
      const RmaIov region = world.b.memory().add(before, Access::read_write);
      const OctetBuffer operand(op.op == AtomicOp::atomic_read ? 0 : type.octets, 0);
      const OctetBuffer compare(call == AtomicCall::compare ? type.octets : 0, 0);
      const bool defined = atomic_defined(static_cast<std::uint32_t>(op.op), static_cast<std::uint32_t>(type.datatype));
      world.a.atomic(kB,
                     {.call = call,
                      .op = op.op,
                      .datatype = type.datatype,
                      .operand = operand,
                      .compare = compare,
                      .on = {region}},
                     0s);
      world.run();
      EXPECT_EQ(world.done_a.back().status, defined ? Status::ok : Status::invalid) << op.name << " " << type.name;
      done += defined ? 1 : 0;
    }
  EXPECT_EQ(world.count(PacketType::atomrsp), done);
}

TEST(Atomics, AreAppliedOnceAndInOrder) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    World world({}, {}, {.duplication = 0.4, .reordering = 1}, seed);
    const RmaIov region = world.b.memory().add(u64({1}), Access::read_write);
    std::uint64_t expected = 1;
    for (std::uint64_t i = 0; i < 40; ++i) {
      world.a.atomic(kB, {.op = i % 2 == 0 ? AtomicOp::sum : AtomicOp::prod, .operand = u64({i + 3}), .on = {region}},
                     0s);
      expected = i % 2 == 0 ? expected + i + 3 : expected * (i + 3);
      if (i % 5 == 0) world.a.send(kB, {.data = {1}}, 0s);
    }
    world.run();
    EXPECT_TRUE(std::ranges::equal(world.b.memory().octets(region.key), u64({expected}))) << seed;
  }
}

}  // namespace
}  // namespace wirelaw::efa
