// SPDX-License-Identifier: Apache-2.0
#include "harness/shard/share_json.h"

#include <gtest/gtest.h>

#include "harness/shard/join.h"
#include "harness/shard/sample_share.h"
#include "reports/json.h"

namespace wirelaw {
namespace {

constexpr Shard kSecond{.index = 1, .of = 3};
const ShardRun kRun{.command = "check", .version = "1.2", .commit = "abc", .asked = {"--rule TEST-*"}};

const Rule* find(std::string_view id) {
  return id == kSampleRule.id ? &kSampleRule : nullptr;
}
const ThisBuild kBuild{.version = "1.2", .commit = "abc", .find = find};

std::string text_of(const Share& share, const Shard& shard = kSecond, const ShardRun& run = kRun) {
  const ShardNote note{.name = to_string(shard), .object = shard_object(shard, run, share)};
  const Results results = results_of(share);
  auto out = Output::to_memory();
  write_json({.results = results, .gate = {}, .version = run.version, .shard = &note}, out);
  return out.text();
}

TEST(ShareJson, GivesBackAllThatWasWritten) {
  const std::string text = text_of(sample_share());
  const auto file = parse_shard_file("s.json", text, kBuild);
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(file->shard, kSecond);
  EXPECT_EQ(file->run, kRun);
  EXPECT_EQ(text_of(file->share), text);
  EXPECT_EQ(file->share.findings[0].time_ns, -5);
  EXPECT_TRUE(file->share.inputs[0].problems[1].stops);
  EXPECT_EQ(file->share.inputs[0].fingerprint, 0xfedcba9876543210u);
}

TEST(ShareJson, RefusesAnyTextThatIsCutOff) {
  const std::string text = text_of(sample_share());
  for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
    const auto file = parse_shard_file("s.json", text.substr(0, length), kBuild);
    ASSERT_FALSE(file) << length;
    EXPECT_EQ(file.error().find('\n'), std::string::npos);
  }
}

// A file in which any value was replaced is either read or refused with an error.
TEST(ShareJson, BearsAnyValueInAnyPlace) {
  const std::string text = text_of(sample_share());
  std::size_t refused = 0;
  for (std::size_t at = text.find(':'); at != std::string::npos; at = text.find(':', at + 1)) {
    for (const char* const value : {"null", "-1", "18446744073709551616", "\"x\"", "[]", "{}", "[[]]", "1e400"}) {
      const std::size_t end = text.find_first_of(",}\n", at);
      const auto file = parse_shard_file("s.json", text.substr(0, at + 1) + value + text.substr(end), kBuild);
      if (file) continue;
      ++refused;
      ASSERT_EQ(file.error().find('\n'), std::string::npos) << file.error();
    }
  }
  EXPECT_GT(refused, 100u);
}

TEST(ShareJson, RefusesAFindingOfARuleThatIsNotListed) {
  Share unlisted = sample_share();
  unlisted.rules.clear();
  const auto file = parse_shard_file("s.json", text_of(unlisted), kBuild);
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().find("is not of the form of a shard's result"), std::string::npos) << file.error();
}

TEST(ShareJson, NamesWhatAFileIsInstead) {
  const auto error = [](const std::string& text, const ThisBuild& build = kBuild) {
    return parse_shard_file("s.json", text, build).error();
  };
  EXPECT_NE(error("[1]").find("is no result of wirelaw"), std::string::npos);
  EXPECT_NE(error("{\"schema\": \"wirelaw-diff/1\"}").find("does not say \"schema\""), std::string::npos);
  EXPECT_NE(error("{\"schema\": \"wirelaw/2\"}").find("is the result of a whole run"), std::string::npos);
  EXPECT_NE(
      error(text_of(sample_share()), {.version = "1.3", .commit = "abc", .find = find}).find("written by wirelaw 1.2"),
      std::string::npos);
  EXPECT_NE(error(text_of(sample_share()), {.version = "1.2", .commit = "abd", .find = find}).find("(commit abd)"),
            std::string::npos);
  const ThisBuild knows_nothing{
      .version = "1.2", .commit = "abc", .find = [](std::string_view) -> const Rule* { return nullptr; }};
  EXPECT_NE(error(text_of(sample_share()), knows_nothing).find("names the rule 'TEST-1-1'"), std::string::npos);
}

}  // namespace
}  // namespace wirelaw
