// SPDX-License-Identifier: Apache-2.0
// Real captures of iWARP, judged: no finding but those that were confirmed by hand from the octets. Why each of them is
// true is in conformance/rdmap/INTERPRETATIONS.md.
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

constexpr Severity kViolation = Severity::violation, kWarning = Severity::warning;

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
  std::size_t connections;
  std::uint64_t messages;  // start frames and FPDUs
  std::vector<Expectation> findings;
};
void PrintTo(const Capture& capture, std::ostream* out) {
  *out << capture.name;
}

const Capture kCaptures[] = {
    {"siwcrc_rping_C5_S1024", 1, 37, {}},
    {"siw_rping_C5_S1024", 1, 37, {}},
    {"siw_ib_read_lat_n10",
     2,
     46,
     {
         {14, "MPA-4.1-3", kViolation, "0040"},
         {15, "MPA-4.1-3", kViolation, "0040"},
     }},
    {"siw_ib_write_lat_n10",
     2,
     44,
     {{14, "MPA-4.1-3", kViolation, "0040"},
      {15, "MPA-4.1-3", kViolation, "0040"},
      {38, "MPA-7.1.2-12", kViolation, "0010"}}},
    {"siw_term_read-oob",
     1,
     4,
     {{9, "RDMAP-4.8-2", kViolation, "100107"},
      {9, "RDMAP-4.8-10", kWarning, "0000"},
      {9, "RDMAP-4.8-12", kViolation, "414100000000000000010000010000000000"}}},
    {"siw_term_send-long", 1, 4, {{9, "RDMAP-4.8-2", kViolation, "210203"}, {9, "RDMAP-4.8-10", kWarning, "00c8"}}},
    {"siw_reject_crc_strict", 1, 2, {}},
};

std::string hexadecimal(Octets octets) {
  std::string text;
  for (const Octet octet : octets) text += fmt::format("{:02x}", octet);
  return text;
}

FileResults judge(std::string_view name) {
  const std::string files[] = {fmt::format("{}/corpora/captures/iwarp/{}.pcap", WIRELAW_SOURCE_DIR, name)};
  CheckOptions options;
  options.judge.findings_per_rule_and_flow = JudgeLimits::kUnlimited;
  return check_files(files, options);
}

class EachCapture : public ::testing::TestWithParam<Capture> {};

TEST_P(EachCapture, HasTheFindingsThatWereConfirmedByHandAndNoOther) {
  const Capture& capture = GetParam();
  const FileResults judged = judge(capture.name);
  std::vector<Expectation> findings;
  for (const Finding& finding : judged.results.findings)
    findings.push_back({finding.frame, finding.rule->id, finding.severity, hexadecimal(finding.octets)});
  std::ranges::stable_sort(findings, {}, &Expectation::frame);
  EXPECT_THAT(findings, ElementsAreArray(capture.findings));
}

TEST_P(EachCapture, IsJudgedToItsLastFpdu) {
  const Capture& capture = GetParam();
  const FileResults judged = judge(capture.name);
  EXPECT_THAT(judged.incomplete, IsEmpty());
  EXPECT_EQ(judged.results.flows.size(), capture.connections);
  std::uint64_t messages = 0;
  for (const FlowResult& flow : judged.results.flows) {
    EXPECT_EQ(flow.protocol, "rdmap");
    EXPECT_EQ(flow.state, FlowState::judged) << flow.note;
    messages += flow.messages;
  }
  EXPECT_EQ(messages, capture.messages);
}

std::string test_name(const ::testing::TestParamInfo<Capture>& capture) {
  std::string name(capture.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Captures, EachCapture, ::testing::ValuesIn(kCaptures), test_name);

std::uint64_t exercised(const FileResults& judged, std::string_view id) {
  const auto rule =
      std::ranges::find_if(judged.results.rules, [&](const RuleResult& one) { return one.rule->id == id; });
  return rule == judged.results.rules.end() ? 0 : rule->exercised;
}

// Both Terminates are read as their sender meant them: what their codes and headers say is judged beside the segment.
TEST(CapturedTerminates, AreJudgedBesideTheSegmentThatTheyBlame) {
  const FileResults read = judge("siw_term_read-oob");
  for (const std::string_view id : {"RDMAP-4.8-5", "RDMAP-4.8-14", "RDMAP-4.8-16", "RDMAP-4.8-17", "RDMAP-4.8-18",
                                    "RDMAP-4.8-19", "RDMAP-4.8-20", "RDMAP-4.8-21", "RDMAP-4.8-25", "RDMAP-4.8-26"})
    EXPECT_EQ(exercised(read, id), 1u) << id;
  const FileResults send = judge("siw_term_send-long");
  for (const std::string_view id : {"DDP-7.2-4", "DDP-7.2-6", "RDMAP-4.8-12", "RDMAP-4.8-29", "RDMAP-4.8-30"})
    EXPECT_EQ(exercised(send, id), 1u) << id;
  for (const FileResults* judged : {&read, &send})
    for (const std::string_view id : {"RDMAP-5.4-9", "RDMAP-6.2.1-5"}) EXPECT_GE(exercised(*judged, id), 1u) << id;
}

}  // namespace
}  // namespace wirelaw
