// SPDX-License-Identifier: Apache-2.0
#include "harness/shard/share_octets.h"

#include <gtest/gtest.h>

#include "harness/shard/join.h"
#include "harness/shard/sample_share.h"
#include "harness/shard/share_json.h"
#include "reports/json.h"

namespace wirelaw {
namespace {

std::string json_of(const Share& share) {
  const ShardNote note{.name = {}, .object = shard_object({}, {}, share)};
  auto out = Output::to_memory();
  const Results results = results_of(share);
  write_json({.results = results, .gate = {}, .version = {}, .shard = &note}, out);
  return out.text();
}

TEST(ShareOctets, GiveBackAllThatWasWritten) {
  const Share share = sample_share();
  const auto got = share_of_octets(octets_of(share));
  ASSERT_TRUE(got);
  EXPECT_EQ(json_of(*got), json_of(share));
  EXPECT_EQ(got->findings[0].time_ns, share.findings[0].time_ns);
  EXPECT_EQ(octets_of(*got), octets_of(share));
}

// A file's name may be any octets but the zero.
TEST(ShareOctets, NeedNotBeUtf8) {
  Share share = sample_share();
  share.inputs[0].input.name = "a\xff\xfe.pcap";
  const auto got = share_of_octets(octets_of(share));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->inputs[0].input.name, share.inputs[0].input.name);
}

TEST(ShareOctets, AreRefusedIfTheyEndEarlyOrLate) {
  const std::string octets = octets_of(sample_share());
  for (std::size_t size = 0; size < octets.size(); ++size)
    ASSERT_FALSE(share_of_octets(std::string_view(octets).substr(0, size))) << size;
  EXPECT_FALSE(share_of_octets(octets + '\0'));
}

TEST(ShareOctets, WithACountBeyondTheirEndTakeNoMemory) {
  std::string octets = octets_of({});
  octets[7] = '\x7f';  // of the rules, which come first
  EXPECT_FALSE(share_of_octets(octets));
}

}  // namespace
}  // namespace wirelaw
