// SPDX-License-Identifier: Apache-2.0
// Real captures of EFA RDM, judged: no finding but those that were confirmed by hand from the octets. Why each of them
// is true is in conformance/efa/INTERPRETATIONS.md.
#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/check/check_files.h"

namespace wirelaw {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

struct Expectation {
  std::uint64_t frame;
  std::string_view rule;
  Severity severity;
  std::string octets;  // octets of the finding, in hexadecimal

  friend bool operator==(const Expectation&, const Expectation&) = default;
};
void PrintTo(const Expectation& one, std::ostream* out) {
  *out << "frame " << one.frame << ' ' << one.rule << ' ' << to_string(one.severity) << ' ' << one.octets;
}

struct Capture {
  std::string_view name;
  std::size_t flows;
  std::uint64_t messages;
  std::vector<Expectation> findings;
};
void PrintTo(const Capture& capture, std::ostream* out) {
  *out << capture.name;
}

// REQ_RMA (0x10) clear in the flags of a write.
Expectation no_rma(std::uint64_t frame, std::string_view flags) {
  return {frame, "EFA-3.1-4", Severity::warning, std::string(flags)};
}

const Capture kCaptures[] = {
    {"efa-1170-01-handshake", 3, 9, {}},
    {"efa-1170-02-eager", 1, 19, {}},
    {"efa-1170-05-write",
     1,
     88,
     {no_rma(4, "0080"), no_rma(5, "0080"), no_rma(6, "0080"), no_rma(7, "0080"), no_rma(8, "0080"), no_rma(9, "0080"),
      no_rma(10, "0080"), no_rma(14, "0080"), no_rma(57, "0280"), no_rma(58, "0280"), no_rma(73, "0080"),
      no_rma(74, "0080")}},
};

std::string hexadecimal(Octets octets) {
  std::string text;
  for (const Octet octet : octets) text += fmt::format("{:02x}", octet);
  return text;
}

class EachEfaCapture : public ::testing::TestWithParam<Capture> {};

TEST_P(EachEfaCapture, HasTheFindingsThatWereConfirmedByHandAndNoOther) {
  const Capture& capture = GetParam();
  const std::string files[] = {fmt::format("{}/corpora/captures/efa/{}.pcap", WIRELAW_SOURCE_DIR, capture.name)};
  CheckOptions options;
  options.judge.findings_per_rule_and_flow = JudgeLimits::kUnlimited;
  const FileResults judged = check_files(files, options);
  std::vector<Expectation> findings;
  for (const Finding& finding : judged.results.findings)
    findings.push_back({finding.frame, finding.rule->id, finding.severity, hexadecimal(finding.octets)});
  std::ranges::stable_sort(findings, {}, &Expectation::frame);
  EXPECT_THAT(findings, ElementsAreArray(capture.findings));
  EXPECT_EQ(judged.results.flows.size(), capture.flows);
  std::uint64_t messages = 0;
  for (const FlowResult& flow : judged.results.flows) {
    EXPECT_EQ(flow.protocol, "efa");
    EXPECT_EQ(flow.state, FlowState::judged) << flow.note;
    messages += flow.messages;
  }
  EXPECT_EQ(messages, capture.messages);
  EXPECT_THAT(judged.results.problems, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Captures, EachEfaCapture, ::testing::ValuesIn(kCaptures), [](const auto& one) {
  std::string name(one.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
});

// --- captures that were made from what deployed endpoints are known to do

FileResults judge_made(std::string_view name, CheckOptions options) {
  const std::string files[] = {fmt::format("{}/corpora/captures/made/efa/{}.pcap", WIRELAW_SOURCE_DIR, name)};
  options.complete = true;
  return check_files(files, options);
}

TEST(EfaCaptures, AddressesThatAreRemovedAndInsertedAgainAreNoFault) {
  const FileResults judged = judge_made("address-put-in-again", {});
  EXPECT_THAT(judged.results.findings, IsEmpty());
  ASSERT_EQ(judged.results.flows.size(), 1u);
  EXPECT_EQ(judged.results.flows[0].state, FlowState::judged);
}

TEST(EfaCaptures, AnEarlyReadIsAWarningThatNamesTheDeclarationOfHomogeneousPeers) {
  const FileResults judged = judge_made("homogeneous-longread-first", {});
  ASSERT_EQ(judged.results.findings.size(), 1u);
  const Finding& finding = judged.results.findings[0];
  EXPECT_EQ(finding.rule->id, "EFA-2.1-20");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_THAT(finding.explanation, ::testing::HasSubstr("--feature homogeneous_peers"));
}

TEST(EfaCaptures, AnEarlyReadOfDeclaredHomogeneousPeersIsNoFault) {
  EXPECT_THAT(judge_made("homogeneous-longread-first", {.features = {"homogeneous_peers"}}).results.findings,
              IsEmpty());
}

TEST(EfaCaptures, AnEarlyReadFailsAnEndpointOfADocumentWithoutHomogeneousPeers) {
  const FileResults judged = judge_made("homogeneous-longread-first", {.revision = "2023-10"});
  EXPECT_TRUE(std::ranges::any_of(judged.results.findings, [](const Finding& one) {
    return one.rule->id == "EFA-2.1-20" && one.severity == Severity::violation;
  }));
}

}  // namespace
}  // namespace wirelaw
