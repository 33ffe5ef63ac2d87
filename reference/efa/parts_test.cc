// SPDX-License-Identifier: Apache-2.0
// The small parts of endpoints.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

#include "reference/efa/coverage.h"
#include "reference/efa/id_table.h"
#include "reference/efa/memory.h"
#include "reference/octet_budget.h"

namespace wirelaw::efa {
namespace {

TEST(OctetBudget, GivesNoMoreThanItsLimitAndTakesItBack) {
  OctetBudget budget(100);
  {
    OctetCharge one, two;
    EXPECT_TRUE(one.take(budget, 60));
    EXPECT_FALSE(two.take(budget, 41));
    EXPECT_TRUE(two.take(budget, 40));
    EXPECT_FALSE(two.take(budget, std::numeric_limits<std::size_t>::max()));
    OctetCharge moved = std::move(one);
    EXPECT_EQ(budget.used(), 100u);
  }
  EXPECT_EQ(budget.used(), 0u);
}

struct Thing {
  std::uint32_t id = 0;
};

TEST(IdTable, FindsWhatIsThereAndNothingElse) {
  IdTable<Thing> table(3);
  const std::uint32_t first = table.insert()->id;
  const std::uint32_t second = table.insert()->id;
  EXPECT_EQ(first, 0u);
  EXPECT_EQ(second, 1u);
  EXPECT_EQ(table.find(first)->id, first);
  EXPECT_EQ(table.find(2), nullptr);
  EXPECT_EQ(table.find(0xffffffff), nullptr);
  table.erase(first);
  EXPECT_EQ(table.find(first), nullptr);
  table.erase(first);
  table.erase(77);
  EXPECT_EQ(table.size(), 1u);
}

TEST(IdTable, GivesAPlaceThatIsUsedAgainAnotherId) {
  IdTable<Thing> table(1);
  std::set<std::uint32_t> ids;
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t id = table.insert()->id;
    EXPECT_TRUE(ids.insert(id).second);
    EXPECT_TRUE(table.full());
    table.erase(id);
  }
}

TEST(Coverage, CountsEveryOctetOnce) {
  Coverage coverage;
  EXPECT_EQ(coverage.add(10, 20, 8), 10u);
  EXPECT_EQ(coverage.add(10, 20, 8), 0u);
  EXPECT_EQ(coverage.add(30, 40, 8), 10u);
  EXPECT_EQ(coverage.add(15, 35, 8), 10u);
  EXPECT_EQ(coverage.add(0, 10, 8), 10u);
  EXPECT_EQ(coverage.octets(), 40u);
  EXPECT_TRUE(coverage.has(0, 40));
  EXPECT_FALSE(coverage.has(39, 41));
  EXPECT_EQ(coverage.add(7, 7, 8), 0u);
  EXPECT_EQ(coverage.add(std::numeric_limits<std::uint64_t>::max() - 1, std::numeric_limits<std::uint64_t>::max(), 8),
            1u);
}

TEST(Coverage, KeepsNoMoreGapsThanAllowed) {
  Coverage coverage;
  for (std::uint64_t at = 0; at < 8; at += 2) EXPECT_EQ(coverage.add(at, at + 1, 3), 1u);
  EXPECT_EQ(coverage.add(100, 101, 3), std::nullopt);
  EXPECT_EQ(coverage.octets(), 4u);
  EXPECT_EQ(coverage.add(1, 2, 3), 1u) << "what fills a gap is welcome";
  EXPECT_EQ(coverage.add(100, 101, 3), 1u);
}

TEST(Coverage, AgreesWithASetOfOctets) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    Coverage coverage;
    std::set<std::uint64_t> octets;
    for (int step = 0; step < 40; ++step) {
      const std::uint64_t begin = random() % 100, end = begin + random() % 12;
      const std::size_t before = octets.size();
      for (std::uint64_t at = begin; at < end; ++at) octets.insert(at);
      ASSERT_EQ(coverage.add(begin, end, 1000), octets.size() - before);
      const std::uint64_t from = random() % 100, to = from + random() % 6;
      bool all = true;
      for (std::uint64_t at = from; at < to; ++at) all = all && octets.contains(at);
      ASSERT_EQ(coverage.has(from, to), all) << from << " " << to;
    }
    ASSERT_EQ(coverage.octets(), octets.size());
  }
}

TEST(Memory, GivesTheOctetsThatAnIovNames) {
  Memory memory;
  const RmaIov region = memory.add({1, 2, 3, 4}, Access::read_write);
  EXPECT_EQ(region.len, 4u);
  const auto found = memory.find({region.addr + 1, 2, region.key}, Access::write);
  ASSERT_TRUE(found);
  (*found)[0] = 9;
  EXPECT_EQ(memory.octets(region.key)[1], 9);
}

TEST(Memory, RefusesWhatIsNotWithinOneRegion) {
  Memory memory;
  const RmaIov region = memory.add({1, 2, 3, 4}, Access::read);
  const auto allowed = [&](RmaIov iov, Access access = Access::read) { return memory.find(iov, access).has_value(); };
  EXPECT_TRUE(allowed(region));
  EXPECT_FALSE(allowed(region, Access::write));
  EXPECT_FALSE(allowed({region.addr, 5, region.key}));
  EXPECT_FALSE(allowed({region.addr + 4, 1, region.key}));
  EXPECT_FALSE(allowed({region.addr - 1, 1, region.key}));
  EXPECT_FALSE(allowed({region.addr, 4, region.key + 1}));
  EXPECT_FALSE(allowed({region.addr + 1, ~std::uint64_t{0}, region.key})) << "the end wraps";
  EXPECT_FALSE(allowed({~std::uint64_t{0}, 2, region.key}));
  EXPECT_TRUE(allowed({0, 0, 77})) << "nothing needs no region";
  memory.remove(region.key);
  EXPECT_FALSE(allowed(region));
}

// A device that registers at most four octets.
class SmallDevice final : public Registrar {
 public:
  std::optional<RmaIov> expose(std::span<Octet> octets, Access) override {
    if (octets.size() > 4) return std::nullopt;
    keys.insert(next_);
    return RmaIov{0x5000 + next_, octets.size(), next_++};
  }
  void withdraw(std::uint64_t key) override { keys.erase(key); }
  bool could_take(std::uint64_t octets) override { return octets <= 4; }

  std::set<std::uint64_t> keys;

 private:
  std::uint64_t next_ = 0x70;
};

TEST(Memory, IsWhereTheDeviceHasRegisteredItUntilItIsRemoved) {
  SmallDevice device;
  OctetBuffer lent{5, 6};
  {
    Memory memory;
    memory.register_with(&device);
    EXPECT_EQ(memory.add({1, 2, 3, 4}, Access::read), (RmaIov{0x5070, 4, 0x70}));
    EXPECT_EQ(memory.add_view(lent, Access::read), (RmaIov{0x5071, 2, 0x71}));
    EXPECT_EQ((*memory.find({0x5071, 1, 0x70}, Access::read))[0], 2);
    memory.remove(0x71);
    EXPECT_EQ(device.keys, (std::set<std::uint64_t>{0x70}));
  }
  EXPECT_TRUE(device.keys.empty());
}

TEST(Memory, ThatTheDeviceDoesNotTakeIsReachedByPacketsAlone) {
  SmallDevice device;
  Memory memory;
  memory.register_with(&device);
  const RmaIov region = memory.add(OctetBuffer(5), Access::read);
  EXPECT_TRUE(memory.find(region, Access::read));
  OctetBuffer lent(5);
  EXPECT_EQ(memory.add_view(lent, Access::read), std::nullopt) << "nobody could read it";
  EXPECT_TRUE(device.keys.empty());
}

TEST(Memory, SumsUpLengthsWithoutWrapping) {
  OctetBuffer iovs;
  encode(RmaIov{0, ~std::uint64_t{0}, 1}, iovs);
  EXPECT_EQ(total_length(iovs), ~std::uint64_t{0});
  encode(RmaIov{0, 2, 1}, iovs);
  EXPECT_EQ(total_length(iovs), std::nullopt);
  EXPECT_EQ(Memory().find_all(iovs, 1, Access::read), std::nullopt);
}

}  // namespace
}  // namespace wirelaw::efa
