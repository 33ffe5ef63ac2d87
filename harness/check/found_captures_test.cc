// SPDX-License-Identifier: Apache-2.0
// Small captures that were once judged wrongly, with the correct result. Each represents a kind of fault, known from
// public bug reports, ways to capture, or sentences of a specification. corpora/captures/README.md lists their
// contents.
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
  bool is_incomplete = false;  // nothing, or not all, could be judged, so the run does not pass
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
    {.name = "35-basic-transport.pcap",
     .findings = {},
     .decode_as = {"udp.port=12246,ramcloud"},
     .is_incomplete = true},
    {"14d-roce-v1.pcap", {"fail SMBD-3.1.5.4-9"}, 2},
    {.name = "capture-http_get_rfc5044.txt.pcapng", .findings = {}, .judged = 0, .is_incomplete = true},
    {.name = "capture-https_client_port_2110.pcapng", .findings = {}, .judged = 0, .is_incomplete = true},
    {.name = "capture-dumpcap_filter_dst_port.pcapng",
     .findings = {"held RAMCLOUD-session-1"},
     .decode_as = {"udp.port=21202,ramcloud"}},
    {"capture-erspan2_term.pcap", {"warn RDMAP-4.8-10", "fail RDMAP-4.8-12", "fail RDMAP-4.8-2"}},
    {.name = "capture-markers_of_initiator_516_apart.pcap", .findings = {}, .iut = "10.9.0.2:7174"},
    {"capture-markers_of_initiator_516_apart.pcap", {"fail MPA-4.3-2"}},
    {"capture-markers_right.pcap", {}},
    {"capture-mergecap_two_snaplens.pcapng", {}},
    {"capture-mixed_plain_ramcloud_and_mpls1_iwarp.pcap",
     {"warn RDMAP-4.8-10", "fail RDMAP-4.8-12", "fail RDMAP-4.8-2"},
     2},
    {"capture-pcapng_sections_le_then_be.pcapng", {}},
    {.name = "capture-roce_cm_only.pcap", .findings = {}, .judged = 2, .is_incomplete = true},
    {"capture-smbd_over_ib_erf197.pcap", {"warn SMBD-3.1.5.4-14", "held SMBD-3.1.5.9-5"}, 5},
    {"capture-smbd_over_rocev1_8915.pcap", {"warn SMBD-3.1.5.4-14", "held SMBD-3.1.5.9-5"}, 5},
    {.name = "smbd-one-roce.pcap", .findings = {}, .judged = 2, .is_incomplete = true},
    {"capture-one_data_segment_one_frame_behind_its_ack.pcap", {}},
    {.name = "capture-snap256_rping.pcap", .findings = {}, .is_incomplete = true},
    {"capture-tap_two_ports_skew_2ms_iwarp_term.pcap", {"warn RDMAP-4.8-10", "fail RDMAP-4.8-12", "fail RDMAP-4.8-2"}},
    {"capture-vxlan_term.pcap", {"warn RDMAP-4.8-10", "fail RDMAP-4.8-12", "fail RDMAP-4.8-2"}},
    {.name = "43c-with-fault.pcap", .findings = {"fail SMBD-3.1.5.4-17"}},
    {.name = "smbd-credit-lost-behind-the-tap-iwarp.pcap", .findings = {}},
    {.name = "umsp-00-FALSE-capture-begins-mid-connection.pcap", .findings = {}, .is_incomplete = true},
    {.name = "umsp-01-first-instruction-ask0.pcap", .findings = {"fail UMSP-5.1.1-4"}},
    {.name = "umsp-03-unknown-session-two-conns.pcap", .findings = {"warn UMSP-3.1-49"}, .judged = 2},
    {.name = "umsp-03-unknown-session.pcap", .findings = {"warn UMSP-3.1-49"}},
    {.name = "umsp-04-truncated-at-fin.pcap", .findings = {"warn UMSP-3.1-36"}},
    {.name = "umsp-05-profile-two-way-write.pcap", .findings = {"held UMSP-5.3.4-28"}},
    {.name = "umsp-05-profile-two-way.pcap", .findings = {"held UMSP-5.3.4-29"}},
    {.name = "umsp-06-begin-sq-in-second-two-conns.pcap", .findings = {"fail UMSP-7-14"}, .judged = 2},
    {.name = "umsp-06-chain-after-end-session-over-two-conns.pcap", .findings = {"held UMSP-7-16"}, .judged = 2},
    {.name = "umsp-06-close-by-acceptor-two-conns.pcap", .findings = {"held UMSP-5.4-1"}, .judged = 2},
    {.name = "umsp-07-job-completed-info-unknown-gjid.pcap", .findings = {"warn UMSP-5.6.2-2"}},
    {.name = "umsp-07-job-completed-unknown-ctid.pcap", .findings = {"warn UMSP-5.6.1-9"}},
    {.name = "umsp-07-ltid-in-task-terminate.pcap", .findings = {"warn UMSP-5.5.1-10"}, .judged = 5},
    {.name = "umsp-08-exec-behind-cancel.pcap", .findings = {"held UMSP-7.2.2-1"}},
    {.name = "umsp-08-exec-twice.pcap", .findings = {"warn UMSP-7.2.2-1"}},
    {.name = "umsp-09-session-of-completed-job.pcap",
     .findings = {"fail UMSP-5.6.1-12"},
     .judged = 4,
     .complete = true},
    {.name = "umsp-10-gjid-twice-one-node.pcap", .findings = {"held UMSP-2.2-10"}},
    {.name = "umsp-11-range1-object-with-name.pcap", .findings = {"fail UMSP-6.6.4-8"}},
    {.name = "umsp-13-obj-data-longer.pcap", .findings = {"held UMSP-6.6.1.1-9"}},
    {.name = "umsp-13-syn-positive-rsp.pcap", .findings = {"held UMSP-6.5.1-12"}},
    {.name = "umsp-14-chain-without-beginning.pcap", .findings = {"held UMSP-7-6"}},
    {.name = "umsp-90-FALSE-late-connection.pcap", .findings = {}, .judged = 2, .complete = true},
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
  EXPECT_EQ(judged.incomplete.empty(), !row.is_incomplete);
  const auto is_judged = [](const FlowResult& flow) { return !flow.protocol.empty(); };
  EXPECT_EQ(std::ranges::count_if(judged.results.flows, is_judged), static_cast<std::ptrdiff_t>(row.judged));
}

INSTANTIATE_TEST_SUITE_P(Captures, Found, ::testing::ValuesIn(kRows));

}  // namespace
}  // namespace wirelaw
