// SPDX-License-Identifier: Apache-2.0
#include "harness/shard/shard.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace wirelaw {
namespace {

TEST(Shard, IsWrittenAsPeopleCount) {
  const auto shard = parse_shard("2/8");
  ASSERT_TRUE(shard);
  EXPECT_EQ(shard->index, 1u);
  EXPECT_EQ(shard->of, 8u);
  EXPECT_EQ(to_string(*shard), "2/8");
  EXPECT_FALSE(shard->is_all());
  EXPECT_TRUE(parse_shard("1/1")->is_all());
}

TEST(Shard, IsRefusedInOneLineWhereItIsNone) {
  for (const char* const text : {"", "x", "2", "/", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "1/ 2", "1/20000", "2/8\n",
                                 "99999999999999999999/2", "+1/2", "1.0/2"}) {
    const auto shard = parse_shard(text);
    ASSERT_FALSE(shard) << text;
    EXPECT_EQ(shard.error().find('\n'), std::string::npos) << text;
    EXPECT_FALSE(shard.error().empty());
  }
}

TEST(Shard, EverythingIsInOneOfThem) {
  for (std::uint64_t hash = 0; hash < 1000; ++hash) {
    unsigned owners = 0;
    for (std::uint64_t index = 0; index < 7; ++index) owners += Shard{index, 7}.has(hash) ? 1 : 0;
    EXPECT_EQ(owners, 1u);
  }
}

// Shards of one run may be judged by different builds on different machines: these numbers never change.
TEST(StableHash, IsTheSameForEver) {
  EXPECT_EQ(stable_hash(""), 0xefd01f60ba992926u);
  EXPECT_EQ(stable_hash("reserved1/request"), 5040485016997508078u);
}

TEST(StableHash, SpreadsNamesThatDifferInOneCharacter) {
  std::set<std::uint64_t> shards;
  for (char last = '0'; last <= '9'; ++last) shards.insert(stable_hash(std::string("case/") + last) % 4);
  EXPECT_EQ(shards.size(), 4u);
}

}  // namespace
}  // namespace wirelaw
