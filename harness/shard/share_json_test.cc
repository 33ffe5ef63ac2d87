// SPDX-License-Identifier: Apache-2.0
#include "harness/shard/share_json.h"

#include <gtest/gtest.h>

#include "harness/shard/join.h"
#include "reports/json.h"

namespace wirelaw {
namespace {

constexpr Rule kRule{"TEST-1-1", Level::must, Role::any, "TEST 1", Observable::trace, Evidence::octets, "It is so."};
constexpr Shard kSecond{.index = 1, .of = 3};
const ShardRun kRun{.command = "check", .version = "1.2", .commit = "abc", .asked = {"--rule TEST-*"}};

const Rule* find(std::string_view id) {
  return id == kRule.id ? &kRule : nullptr;
}
const ThisBuild kBuild{.version = "1.2", .commit = "abc", .find = find};

SharedInput input() {
  return {.place = 1,
          .input = {.name = "b.pcap",
                    .frames = 10,
                    .octets = 1000,
                    .completeness = Completeness::unknown,
                    .why = "it does not say"},
          .packets = 9,
          .cut = 4,
          .problems = {{{.file = "b.pcap", .frame = 1, .message = "odd"}, false},
                       {{.file = "b.pcap", .message = "broken"}, true}},
          .problems_dropped = 2,
          .runs = {{.file = "b.pcap", .peer = "udp://x", .version = "1.2", .end = "complete"}},
          .fingerprint = 0xfedcba9876543210u,
          .shares = 1,
          .octets = 4096,
          .associations = 3};
}

Share share() {
  Share share;
  share.rules.push_back({.rule = &kRule, .exercised = 5, .failed = 1, .warned = 3, .held_back = 2, .inconclusive = 4});
  share.reasons.push_back({&kRule, "nobody knows", {.input = 1, .step = 77}});
  share.findings.push_back({.rule = &kRule,
                            .severity = Severity::warning,
                            .evidence = Evidence::order,
                            .held_back = true,
                            .flow = "udp a - b",
                            .sender = "a",
                            .message = 3,
                            .unanswered = true,
                            .frame = 9,
                            .time_ns = -5,
                            .offset = 2,
                            .length = 2,
                            .octets = {0xab, 0x01},
                            .places = {{.frame = 9, .frame_offset = 44, .length = 2}, {.frame = 10, .length = 1}},
                            .expected = "0",
                            .actual = "1",
                            .explanation = "because",
                            .occasion = {.test_case = "x/y", .control = "x/z"},
                            .shown_by_case = true});
  share.found.push_back({.place = {.input = 1, .step = 70}, .flow = 4, .kind = FindingKind::pending});
  share.findings_dropped = 11;
  share.flows.push_back({.id = "udp a - b",
                         .protocol = "efa",
                         .above = "smbd",
                         .messages = 5,
                         .octets = 500,
                         .state = FlowState::partial,
                         .note = "late",
                         .completeness = Completeness::incomplete,
                         .missing = "half"});
  share.flow_ends.push_back({.input = 1, .step = 99});
  share.flows_dropped = 6;
  share.flows_dropped_as = {1, 2, 3};
  share.cases.push_back({.id = "x/y",
                         .protocol = "efa",
                         .purpose = "It is tried.",
                         .rules = {&kRule},
                         .verdict = Verdict::fail,
                         .reason = "why not",
                         .duration_ns = 1'234'567'000,
                         .first_frame = 3,
                         .last_frame = 8});
  share.case_places.push_back(12);
  share.inputs.push_back(input());
  share.judged = 5;
  share.iut_seen = share.kinds.one_sided = share.kinds.relayed_tcp = true;
  return share;
}

std::string text_of(const Share& share, const Shard& shard = kSecond, const ShardRun& run = kRun) {
  const ShardNote note{.name = to_string(shard), .object = shard_object(shard, run, share)};
  const Results results = results_of(share);
  auto out = Output::to_memory();
  write_json({.results = results, .gate = {}, .version = run.version, .shard = &note}, out);
  return out.text();
}

TEST(ShareJson, GivesBackAllThatWasWritten) {
  const std::string text = text_of(share());
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
  const std::string text = text_of(share());
  for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
    const auto file = parse_shard_file("s.json", text.substr(0, length), kBuild);
    ASSERT_FALSE(file) << length;
    EXPECT_EQ(file.error().find('\n'), std::string::npos);
  }
}

// A file in which any value was replaced is either read or refused with an error.
TEST(ShareJson, BearsAnyValueInAnyPlace) {
  const std::string text = text_of(share());
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
  Share unlisted = share();
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
  EXPECT_NE(error(text_of(share()), {.version = "1.3", .commit = "abc", .find = find}).find("written by wirelaw 1.2"),
            std::string::npos);
  EXPECT_NE(error(text_of(share()), {.version = "1.2", .commit = "abd", .find = find}).find("(commit abd)"),
            std::string::npos);
  const ThisBuild knows_nothing{
      .version = "1.2", .commit = "abc", .find = [](std::string_view) -> const Rule* { return nullptr; }};
  EXPECT_NE(error(text_of(share()), knows_nothing).find("names the rule 'TEST-1-1'"), std::string::npos);
}

}  // namespace
}  // namespace wirelaw
