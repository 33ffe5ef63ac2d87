// SPDX-License-Identifier: Apache-2.0
// What a tester said, written as a script: played again, it shows the same fault, and blames nobody without it.
#include "harness/script/script_sink.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "harness/memory_run.h"
#include "harness/script/script_cases.h"

namespace wirelaw {
namespace {

struct Nowhere final : FrameSink {
  void write(const RecordedFrame&) override {}
};

struct Row {
  std::string_view protocol;
  const char* cases;
  const char* deviation;
  std::string_view rule;  // a rule that this breaks in the traffic
};

class WrittenRuns : public testing::TestWithParam<Row> {};
INSTANTIATE_TEST_SUITE_P(Protocols, WrittenRuns,
                         testing::Values(Row{"ramcloud", "ack/*", "reserved1-sent", "RAMCLOUD-reserved1-1"},
                                         Row{"efa", "packet/empty-datagram", "version-three", "EFA-1.3-2"},
                                         Row{"rdmap", "rdmap/responder-answers-reads", "ddp-reserved-set", ""},
                                         Row{"smbd", "data/listener-refuses-credits-requested-0",
                                             "response-reserved-set", ""},
                                         Row{"umsp", "session/serves", "executions-answered-by-rsp-p", ""}),
                         [](const auto& one) { return std::string(one.param.protocol); });

std::vector<const Rule*> failed_in_traffic(const Results& results) {
  std::vector<const Rule*> failed;
  for (const RuleResult& one : results.rules)
    if (one.verdict == Verdict::fail && one.rule->observable == Observable::trace) failed.push_back(one.rule);
  return failed;
}

TEST_P(WrittenRuns, ShowTheFaultAgainAndBlameNobodyWithoutIt) {
  const Protocol& protocol = *find_protocol(GetParam().protocol);
  Nowhere nowhere;
  ScriptSink sink(nowhere, protocol, Role::responder);
  Recording recording(sink);
  const MemoryRun faulty{.deviations = {GetParam().deviation}};
  const auto first = run_in_memory(protocol, {.selection = {.cases = {GetParam().cases}}}, faulty, &recording);
  ASSERT_TRUE(first) << first.error();
  recording.flush();
  const std::vector<const Rule*> failed = failed_in_traffic(first->results);
  ASSERT_FALSE(failed.empty());
  if (!GetParam().rule.empty()) {
    EXPECT_EQ(failed.front()->id, GetParam().rule);
  }

  const std::string text = sink.text(fmt::format("rule {}", failed.front()->id), {}, {});
  auto file = script_of(text, "finding.wirelaw");
  ASSERT_TRUE(file) << file.error() << "\n" << text;
  std::vector<ScriptFile> files;
  files.push_back(std::move(*file));
  const auto scripted = ScriptedProtocol::of(std::move(files), protocol);
  ASSERT_TRUE(scripted) << scripted.error() << "\n" << text;
  const auto again = run_in_memory((*scripted)->protocol(), {}, faulty);
  ASSERT_TRUE(again) << again.error();
  EXPECT_THAT(failed_in_traffic(again->results), testing::Contains(failed.front())) << text;
  const auto honest = run_in_memory((*scripted)->protocol(), {}, {});
  ASSERT_TRUE(honest) << honest.error();
  for (const RuleResult& one : honest->results.rules)
    EXPECT_NE(one.verdict, Verdict::fail) << one.rule->id << "\n" << text;
  for (const CaseResult& one : honest->results.cases)
    EXPECT_NE(one.verdict, Verdict::fail) << one.reason << "\n" << text;
}

}  // namespace
}  // namespace wirelaw
