// SPDX-License-Identifier: Apache-2.0
#include "reports/run_record.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "reports/sample_results_test.h"
#include "reports/text.h"

namespace wirelaw {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const Rule* find_sample(std::string_view id) {
  for (const Rule* rule : {&kBroken, &kAdvised, &kIdle})
    if (rule->id == id) return rule;
  return nullptr;
}

Results run_results() {
  Results results = sample_results();
  results.findings.push_back(sample_finding(Severity::violation));
  results.findings.back().shown_by_case = true;
  results.findings.back().unanswered = true;
  results.findings.back().occasion = {.test_case = "open/twice", .control = {}};
  return results;
}

std::vector<std::string> sample_comments() {
  const Results results = run_results();
  return comments_of_run(results, gate_of(results, FailOn::must, RunEnd::complete, nullptr), "1.2.3");
}

TEST(RunRecord, GivesBackWhatOnlyTheRunKnows) {
  const auto comments = sample_comments();
  ASSERT_TRUE(holds_run(comments));
  EXPECT_THAT(comments[0], StartsWith("wirelaw run: FAIL: 1 MUST rule and 1 case failed (exit status 1); "));
  const auto read = read_run(comments, find_sample);
  ASSERT_TRUE(read) << read.error();
  const RecordedRun& run = read->run;
  EXPECT_EQ(run.peer, "a.pcap");
  EXPECT_EQ(run.version, "1.2.3");
  EXPECT_EQ(run.end, "complete");
  EXPECT_EQ(run.exit_status, 1);
  ASSERT_EQ(run.rules.size(), 2u) << "what was not exercised is no result";
  EXPECT_EQ(run.rules[0].verdict, Verdict::fail);
  ASSERT_EQ(run.cases.size(), 2u);
  EXPECT_EQ(run.cases[0].id, "open/twice");
  EXPECT_EQ(run.cases[0].verdict, Verdict::fail);
  EXPECT_EQ(run.cases[0].reason, "the second open was not answered");
  EXPECT_EQ(run.cases[0].duration_ns, 1'500'000);
  EXPECT_EQ(run.cases[0].last_frame, 4u);
  ASSERT_EQ(run.cases[0].rules.size(), 1u);
  EXPECT_EQ(run.cases[0].rules[0], &kBroken);
  ASSERT_EQ(run.findings.size(), 1u) << "what the frames show is found in them again";
  EXPECT_EQ(run.findings[0].rule, &kBroken);
  EXPECT_EQ(run.findings[0].octets, (OctetBuffer{0xab, 0x01}));
  EXPECT_EQ(run.findings[0].occasion.test_case, "open/twice");
  EXPECT_TRUE(run.findings[0].unanswered);
}

TEST(RunRecord, IsCutIntoOptionsAndStaysBounded) {
  Results results = run_results();
  const Finding finding = results.findings.back();
  results.findings.assign(3000, finding);
  for (Finding& one : results.findings) one.expected = std::string(3000, 'e');
  const auto comments = comments_of_run(results, gate_of(results, FailOn::must, RunEnd::complete, nullptr), "1.2.3");
  std::size_t octets = 0;
  for (const std::string& one : comments) {
    EXPECT_LE(one.size(), 65'535u);
    octets += one.size();
  }
  EXPECT_LE(octets, 1'000'000u);
  const auto read = read_run(comments, find_sample);
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->run.findings.size() + read->run.findings_dropped, 3000u);
}

TEST(RunRecord, WhatIsOfAnUnknownRuleIsCountedAndLeftOut) {
  const auto read = read_run(sample_comments(), [](std::string_view) { return nullptr; });
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->unknown, 3u);
  EXPECT_EQ(read->run.cases.size(), 2u);
}

TEST(RunRecord, AnythingElseIsOneLine) {
  EXPECT_FALSE(holds_run({}));
  EXPECT_FALSE(holds_run(std::vector<std::string>{"a comment of somebody"}));
  const auto error = [](const std::string& json) {
    const auto read = read_run(std::vector<std::string>{"wirelaw run: ", json}, find_sample);
    return read ? std::string() : read.error();
  };
  EXPECT_THAT(error(""), HasSubstr("not JSON"));
  EXPECT_THAT(error(std::string(1 << 16, '[')), HasSubstr("not JSON"));
  EXPECT_THAT(error("{}"), HasSubstr("schema"));
  const std::string head = R"({"schema":"wirelaw-run/1","rules":)";
  for (const std::string rest :
       {R"(1,"cases":[],"findings":[]})", R"([1],"cases":[],"findings":[]})", R"([],"cases":[{}],"findings":[]})",
        R"([],"cases":[{"id":"a","verdict":"so-so"}],"findings":[]})",
        R"([],"cases":[{"id":"a","verdict":"pass","frames":[1]}],"findings":[]})",
        R"([],"cases":[{"id":"a","verdict":"pass","duration_ms":1e300}],"findings":[]})",
        R"([],"cases":[],"findings":[{"rule":"TEST-1-1","severity":"violation","evidence":"octets","octets":"0"}]})",
        R"([],"cases":[],"findings":[],"exit_status":"x"})"})
    EXPECT_THAT(error(head + rest), HasSubstr("form")) << rest;
}

TEST(RunRecord, ARunThatFailedFailsItsCheck) {
  Results results;
  results.rules = {{.rule = &kBroken, .verdict = Verdict::pass, .exercised = 1, .reason = {}}};
  results.runs.push_back(read_run(sample_comments(), find_sample).value().run);
  const Gate gate = gate_of(results, FailOn::must, RunEnd::complete, nullptr);
  EXPECT_EQ(gate.status, ExitStatus::failed);
  ASSERT_EQ(gate.regressions.size(), 2u) << "the rule and the case, each once";
  const std::string text = written(write_text, results, gate);
  EXPECT_THAT(text, HasSubstr("FAIL  TEST-1-1  MUST 1 of 5"));
  EXPECT_THAT(text, HasSubstr("case      open/twice\n"));
  const Baseline baseline{.failed_rules = {"TEST-1-1"}, .failed_cases = {"open/twice"}};
  const Gate known = gate_of(results, FailOn::must, RunEnd::complete, &baseline);
  EXPECT_EQ(known.status, ExitStatus::passed);
  EXPECT_TRUE(known.fixed.empty());
}

}  // namespace
}  // namespace wirelaw
