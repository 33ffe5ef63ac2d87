// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/vm/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wirelaw::umsp {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

TEST(TaskMemory, EndsWhereItsAddressesEnd) {
  struct {
    std::size_t octets;
    std::uint64_t last;
  } const kRows[] = {{2, 0xffff}, {3, 0xff'ffff}, {4, 0xffff'ffff}, {8, kMost}};
  for (const auto& row : kRows) {
    TaskMemory memory(row.octets);
    EXPECT_EQ(memory.last_address(), row.last);
    EXPECT_FALSE(memory.add(row.last, AreaKind::data, OctetBuffer(2)));
    EXPECT_TRUE(memory.add(row.last - 1, AreaKind::data, OctetBuffer(2)));
    EXPECT_TRUE(memory.look(row.last, 1));
    EXPECT_FALSE(memory.look(row.last, 2));
    EXPECT_FALSE(memory.look(row.last, kMost)) << "the sum would wrap";
    EXPECT_FALSE(memory.write(row.last, OctetBuffer{1, 2}));
    EXPECT_FALSE(memory.find_room(row.last - 0x20, 0x100));
  }
}

TEST(TaskMemory, HasNoAreaTwice) {
  TaskMemory memory(4);
  EXPECT_TRUE(memory.add(0x100, AreaKind::data, OctetBuffer(0x10)));
  for (const std::uint64_t address : {0xf1u, 0x100u, 0x10fu})
    EXPECT_FALSE(memory.add(address, AreaKind::data, OctetBuffer(0x10))) << address;
  EXPECT_FALSE(memory.add(0xf0, AreaKind::data, OctetBuffer(0x100)));
  EXPECT_TRUE(memory.add(0x110, AreaKind::data, OctetBuffer(1)));
  EXPECT_FALSE(memory.add(0x200, AreaKind::data, {}));
}

TEST(TaskMemory, AnAccessIsWithinOneArea) {
  TaskMemory memory(4);
  memory.add(0x100, AreaKind::data, OctetBuffer(0x10));
  memory.add(0x110, AreaKind::data, OctetBuffer(0x10));
  EXPECT_TRUE(memory.look(0x10f, 1));
  EXPECT_TRUE(memory.look(0x10f, 0));
  EXPECT_FALSE(memory.look(0x10f, 2));
  EXPECT_FALSE(memory.look(0xff, 1));
  EXPECT_FALSE(memory.look(0x120, 0));
}

TEST(TaskMemory, FindsRoomBetweenAreas) {
  TaskMemory memory(2);
  memory.add(0x1000, AreaKind::data, OctetBuffer(0x10));
  memory.add(0x1020, AreaKind::data, OctetBuffer(0x11));
  EXPECT_EQ(memory.find_room(0x1000, 0x10), 0x1010u);
  EXPECT_EQ(memory.find_room(0x1000, 0x11), 0x1040u);
  EXPECT_EQ(memory.find_room(0x0fff, 0x10), 0x1010u);
  EXPECT_EQ(memory.find_room(0x0ff1, 0xf010), std::nullopt);
  EXPECT_EQ(memory.find_room(0x1'0000, 1), std::nullopt);
}

TEST(TaskMemory, PermanentCodeIsNotWritten) {
  TaskMemory memory(4);
  memory.add(0x100, AreaKind::permanent, {1, 2, 3, 4});
  EXPECT_FALSE(memory.write(0x100, OctetBuffer{9}));
  EXPECT_THAT(*memory.look(0x100, 4), testing::ElementsAre(1, 2, 3, 4));
}

}  // namespace
}  // namespace wirelaw::umsp
