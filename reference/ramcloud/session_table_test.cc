// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/session_table.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace wirelaw::ramcloud {
namespace {

using namespace std::chrono_literals;

TEST(Tokens, AreTheSameForTheSameSeedOnly) {
  TokenSource one(1), again(1), two(2);
  const std::uint64_t first = one.next();
  EXPECT_EQ(first, again.next());
  EXPECT_NE(first, two.next());
}

TEST(Tokens, UseAllBitsAndDoNotRepeat) {
  TokenSource source(0);
  std::set<std::uint64_t> seen;
  int bits = 0;
  for (unsigned i = 0; i < 10'000; ++i) {
    const std::uint64_t token = source.next();
    EXPECT_TRUE(seen.insert(token).second);
    bits += std::popcount(token);
  }
  EXPECT_NEAR(bits, 320'000, 2'000);
}

TEST(SessionTable, GivesTheLowestFreeHintAndAFreshToken) {
  SessionTable table(1, 10s, 8);
  ServerSession* const first = table.open(1, table.fresh_token(), 7, 0s);
  EXPECT_EQ(first->server_hint, 0u);
  EXPECT_EQ(first->client_hint, 7u);
  const std::uint64_t token = first->token;
  EXPECT_EQ(table.open(1, table.fresh_token(), 7, 5s)->server_hint, 1u);
  table.expire(11s);
  EXPECT_EQ(table.size(), 1u);
  ServerSession* const third = table.open(2, table.fresh_token(), 8, 11s);
  EXPECT_EQ(third->server_hint, 0u);
  EXPECT_NE(third->token, token);
}

TEST(SessionTable, KeepsASessionForItsWholeExpiryTime) {
  SessionTable table(1, 10s, 8);
  table.open(1, table.fresh_token(), 0, 0s);
  table.expire(10s);
  EXPECT_EQ(table.size(), 1u);
  table.expire(10s + 1ns);
  EXPECT_EQ(table.size(), 0u);
}

TEST(SessionTable, AHintThatWasAskedForIsPassedOver) {
  SessionTable table(1, 10s, 8);
  ASSERT_TRUE(table.add(1, 2, 3, 1, 0s));
  ASSERT_TRUE(table.add(1, 3, 3, 0xffff'ffff, 0s));
  EXPECT_EQ(table.open(1, table.fresh_token(), 0, 0s)->server_hint, 0u);
  EXPECT_EQ(table.open(1, table.fresh_token(), 0, 0s)->server_hint, 2u);
}

// The oldest session that has sent nothing is removed; an active one is not, however old it is.
TEST(SessionTable, MakesRoomOfTheOldestThatIsNotInUse) {
  OctetBudget budget(1000);
  SessionTable table(1, 10s, 3);
  ServerSession* const active = table.open(1, table.fresh_token(), 0, 0s);
  active->channels.try_emplace(0, budget);
  ServerSession* const touched = table.open(2, table.fresh_token(), 0, 1s);
  table.open(3, table.fresh_token(), 0, 2s);
  touched->last_used = 3s;
  EXPECT_TRUE(table.make_room());
  EXPECT_TRUE(table.find(0) && table.find(1) && !table.find(2));
  EXPECT_EQ(table.open(4, table.fresh_token(), 0, 4s)->server_hint, 2u);
  EXPECT_TRUE(table.make_room());
  EXPECT_TRUE(table.find(0) && !table.find(1) && table.find(2));
  EXPECT_TRUE(table.make_room());
  EXPECT_FALSE(table.make_room());
  EXPECT_EQ(table.first(), active);
}

// Takes too long if each request searches all sessions.
TEST(SessionTable, AFloodLeavesTheSessionsThatWereOpenedLast) {
  constexpr std::uint32_t kRoom = 64, kFlood = 100'000;
  SessionTable table(1, 10s, kRoom);
  for (std::uint32_t i = 0; i < kFlood; ++i) {
    table.expire(Instant{i});
    if (table.full()) {
      ASSERT_TRUE(table.make_room());
    }
    ASSERT_TRUE(table.open(i, table.fresh_token(), i, Instant{i}));
  }
  ASSERT_EQ(table.size(), kRoom);
  for (std::uint32_t hint = 0; hint < kRoom; ++hint) {
    const ServerSession* const one = table.find(hint);
    ASSERT_TRUE(one);
    EXPECT_GE(one->client_hint, kFlood - kRoom);
  }
}

TEST(SessionTable, HasABound) {
  SessionTable table(1, 10s, 2);
  EXPECT_TRUE(table.open(1, table.fresh_token(), 0, 0s));
  EXPECT_TRUE(table.open(1, table.fresh_token(), 0, 0s));
  EXPECT_FALSE(table.open(1, table.fresh_token(), 0, 0s));
  EXPECT_FALSE(table.add(1, 2, 3, 4, 0s));
}

}  // namespace
}  // namespace wirelaw::ramcloud
