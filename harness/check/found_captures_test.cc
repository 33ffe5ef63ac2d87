// SPDX-License-Identifier: Apache-2.0
// Small captures that were once judged wrongly, with what is right. Each stands for a kind of fault: public bug
// reports, ways in which captures are made, sentences of a specification. corpora/captures/README.md says what each
// holds.
#include <gmock/gmock.h>
#include <test_paths.h>

#include <string>
#include <vector>

#include "harness/check/check_files.h"

namespace wirelaw {
namespace {

struct Row {
  std::string_view name;
  std::vector<std::string> findings;  // "fail RULE", "warn RULE", "held RULE": each once, in the order of the catalogue
  std::size_t judged = 1;             // flows that have a protocol
  std::vector<std::string> decode_as = {};
  bool complete = false;
  std::string iut = {};
  bool nothing_judged = false;  // so that the run does not pass
};
void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

const Row kRows[] = {
    {"01b-reply-without-rtr-kind.pcap", {"fail ECE-9.2-7", "warn ECE-9.2-9"}},
    {"06-control-write.pcap", {"warn RDMAP-4.8-26"}},
    {"06-sink-without-write-right-a.pcap", {"warn RDMAP-4.8-26"}},
    {"10f-control-far-starting-psns.pcap", {"fail SMBD-3.1.5.4-9"}, 2},
    {"10f-near-starting-psns-fault-hidden.pcap", {"fail SMBD-3.1.5.4-9"}, 2},
    {"14d-roce-v1.pcap", {"fail SMBD-3.1.5.4-9"}, 2},
    {"capture-erspan2_term.pcap", {"warn RDMAP-4.8-10", "fail RDMAP-4.8-12", "fail RDMAP-4.8-2"}},
    {.name = "capture-markers_of_initiator_516_apart.pcap", .findings = {}, .iut = "10.9.0.2:7174"},
    {"capture-markers_of_initiator_516_apart.pcap", {"fail MPA-4.3-2"}},
    {"capture-markers_right.pcap", {}},
    {"capture-mergecap_two_snaplens.pcapng", {}},
    {"capture-mixed_plain_ramcloud_and_mpls1_iwarp.pcap",
     {"warn RDMAP-4.8-10", "fail RDMAP-4.8-12", "fail RDMAP-4.8-2"},
     2},
    {"capture-pcapng_sections_le_then_be.pcapng", {}},
    {.name = "capture-roce_cm_only.pcap", .findings = {}, .judged = 2, .nothing_judged = true},
    {"capture-smbd_over_ib_erf197.pcap", {"warn SMBD-3.1.5.4-14", "held SMBD-3.1.5.9-5"}, 5},
    {"capture-smbd_over_rocev1_8915.pcap", {"warn SMBD-3.1.5.4-14", "held SMBD-3.1.5.9-5"}, 5},
    {.name = "smbd-one-roce.pcap", .findings = {}, .judged = 2, .nothing_judged = true},
    {"capture-vxlan_term.pcap", {"warn RDMAP-4.8-10", "fail RDMAP-4.8-12", "fail RDMAP-4.8-2"}},
};

std::string_view word_of(const Finding& finding) {
  if (finding.held_back) return "held ";
  return finding.severity == Severity::violation ? "fail " : "warn ";
}

class Found : public ::testing::TestWithParam<Row> {};

TEST_P(Found, IsJudgedRightly) {
  const Row& row = GetParam();
  CheckOptions options;
  options.complete = row.complete;
  for (const std::string& one : row.decode_as) options.decode_as.push_back(parse_decode_as(one).value());
  if (!row.iut.empty()) options.iut = parse_iut(row.iut).value();
  const std::vector<std::string> files{WIRELAW_SOURCE_DIR "/corpora/captures/found/" + std::string(row.name)};
  const FileResults judged = check_files(files, options);
  std::vector<std::string> findings;
  for (const Finding& one : judged.results.findings) {
    std::string said = std::string(word_of(one)) + std::string(one.rule->id);
    if (std::ranges::find(findings, said) == findings.end()) findings.push_back(std::move(said));
  }
  EXPECT_THAT(findings, ::testing::UnorderedElementsAreArray(row.findings));
  EXPECT_EQ(judged.incomplete.empty(), !row.nothing_judged);
  const auto is_judged = [](const FlowResult& flow) { return !flow.protocol.empty(); };
  EXPECT_EQ(std::ranges::count_if(judged.results.flows, is_judged), static_cast<std::ptrdiff_t>(row.judged));
}

INSTANTIATE_TEST_SUITE_P(Captures, Found, ::testing::ValuesIn(kRows));

}  // namespace
}  // namespace wirelaw
