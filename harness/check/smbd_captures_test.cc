// SPDX-License-Identifier: Apache-2.0
// SMB Direct in capture files: that of real peers, and the sample traces.
#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "corpora/traces/smbd_builder.h"
#include "corpora/traces/trace.h"
#include "harness/check/check_files.h"
#include "pcap/temporary_directory.h"

namespace wirelaw {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string kMount = WIRELAW_SOURCE_DIR "/corpora/captures/smbd/siw_smbd_mount_ls_small.pcap";
const std::string kFiles = WIRELAW_SOURCE_DIR "/corpora/captures/smbd/siw_smbd_files.pcap";
const std::string kFilesOverRxe = WIRELAW_SOURCE_DIR "/corpora/captures/smbd/rxe_smbd_files.pcap";

FileResults judge(const std::string& file, bool complete = false) {
  const std::string files[] = {file};
  CheckOptions options;
  options.complete = complete;
  options.judge.findings_per_rule_and_flow = JudgeLimits::kUnlimited;
  return check_files(files, options);
}

std::set<std::string> rules_of(const Results& results, std::string_view protocol) {
  std::set<std::string> ids;
  for (const Finding& finding : results.findings)
    if (finding.rule->protocol == protocol) ids.emplace(finding.rule->id);
  return ids;
}

// Linux's cifs mounts a share of ksmbd, lists a folder and reads a small file.
TEST(MountOverSiw, IsSmbDirectAboveRdmap) {
  const FileResults judged = judge(kMount);
  ASSERT_EQ(judged.results.flows.size(), 1u);
  const FlowResult& flow = judged.results.flows[0];
  EXPECT_EQ(flow.protocol, "rdmap");
  EXPECT_EQ(flow.above, "smbd");
  EXPECT_EQ(flow.state, FlowState::judged) << flow.note;
}

// Linux's initiator sends each of its buffers, an SMB2 header and its data, in a segment of that length. This is valid,
// but not what 3.1.5.4 recommends.
TEST(MountOverSiw, HasNoFindingButSegmentsThatAreNotFull) {
  const FileResults judged = judge(kMount);
  std::vector<std::string> findings;
  for (const Finding& finding : judged.results.findings)
    if (finding.rule->protocol == "smbd")
      findings.push_back(
          fmt::format("{} {} {} {}", finding.frame, finding.rule->id, to_string(finding.severity), finding.actual));
  EXPECT_THAT(findings, ElementsAre("54 SMBD-3.1.5.4-14 warning 152", "55 SMBD-3.1.5.4-14 warning 104",
                                    "59 SMBD-3.1.5.4-14 warning 152", "88 SMBD-3.1.5.4-14 warning 112"));
}

std::uint64_t exercised(const FileResults& judged, std::string_view id) {
  const auto rule =
      std::ranges::find_if(judged.results.rules, [&](const RuleResult& one) { return one.rule->id == id; });
  return rule == judged.results.rules.end() ? 0 : rule->exercised;
}

TEST(MountOverSiw, ExercisesNegotiationCreditsFragmentsAndRdma) {
  const FileResults judged = judge(kMount);
  for (const std::string_view id :
       {"SMBD-2.2.1-1", "SMBD-2.2.2-1", "SMBD-3.1.5.3-7", "SMBD-3.1.5.1-3", "SMBD-3.1.5.4-16", "SMBD-3.1.5.4-17",
        "SMBD-3.1.5.9-8", "SMBD-3.1.4.5-1", "SMBD-2.2.2-12"})
    EXPECT_GT(exercised(judged, id), 0u) << id;
}

// The same two peers, later: files are written and read by RDMA and in segments, both ways. The capture counts as
// complete, so no breach is excused, and the only findings are segments of unusual length.
TEST(FilesOverSiw, HaveNoFindingButSegmentsThatAreNotFull) {
  const FileResults judged = judge(kFiles, true);
  ASSERT_EQ(judged.results.flows.size(), 1u);
  EXPECT_EQ(judged.results.flows[0].above, "smbd");
  EXPECT_EQ(judged.results.flows[0].state, FlowState::judged) << judged.results.flows[0].note;
  std::set<std::string> rules;
  for (const Finding& finding : judged.results.findings) {
    EXPECT_EQ(finding.severity, Severity::warning) << finding.rule->id;
    rules.emplace(finding.rule->id);
  }
  EXPECT_THAT(rules, ElementsAre("SMBD-3.1.5.4-14"));
}

TEST(FilesOverSiw, ExerciseRdmaBothWaysAndSegments) {
  const FileResults judged = judge(kFiles);
  for (const std::string_view id : {"SMBD-3.1.4.5-1", "SMBD-3.1.4.6-1", "SMBD-3.1.5.4-16", "SMBD-3.1.5.4-17",
                                    "SMBD-3.1.5.9-2", "SMBD-3.1.5.9-5", "RDMAP-5.2-1"})
    EXPECT_GT(exercised(judged, id), 0u) << id;
}

// RoCEv2 over Linux's rxe: a mount, and files as above. The Communication Manager's messages are a separate flow.
TEST(FilesOverRxe, HaveNoFindingButSegmentsThatAreNotFull) {
  const FileResults judged = judge(kFilesOverRxe, true);
  ASSERT_EQ(judged.results.flows.size(), 2u);
  for (const FlowResult& flow : judged.results.flows) {
    EXPECT_EQ(flow.protocol, "roce");
    EXPECT_EQ(flow.state, FlowState::judged) << flow.note;
  }
  EXPECT_EQ(judged.results.flows[0].above + judged.results.flows[1].above, "smbd");
  EXPECT_THAT(judged.results.problems, IsEmpty());
  EXPECT_FALSE(judged.results.findings.empty());
  for (const Finding& finding : judged.results.findings) {
    EXPECT_EQ(finding.severity, Severity::warning) << finding.rule->id;
    EXPECT_EQ(finding.rule->id, "SMBD-3.1.5.4-14");
  }
}

TEST(FilesOverRxe, ExerciseRdmaBothWaysSegmentsAndCredits) {
  const FileResults judged = judge(kFilesOverRxe);
  for (const std::string_view id :
       {"SMBD-2.2.1-1", "SMBD-2.2.2-1", "SMBD-3.1.4.5-1", "SMBD-3.1.4.6-1", "SMBD-3.1.5.1-3", "SMBD-3.1.5.3-7",
        "SMBD-3.1.5.4-16", "SMBD-3.1.5.4-17", "SMBD-3.1.5.9-2", "SMBD-3.1.5.9-8", "SMBD-3.1.6-1"})
    EXPECT_GT(exercised(judged, id), 0u) << id;
}

// Judged as complete: missing frames excuse no side.
FileResults judge_script(corpora::SmbdTraceBuilder& script) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string path = directory.path("trace.pcapng");
  EXPECT_TRUE(corpora::write_trace(
      {.name = "trace", .messages = script.take(), .is_stream = true, .port = corpora::SmbdTraceBuilder::kPort}, path));
  const std::string files[] = {path};
  CheckOptions options;
  options.complete = true;
  return check_files(files, options);
}
std::set<std::string> rules_of_conversation(corpora::SmbdTraceBuilder& script) {
  return rules_of(judge_script(script).results, "smbd");
}

TEST(RefusedNegotiation, OfOtherVersionsIsOne) {
  corpora::SmbdTraceBuilder script;
  script.connect();
  script.request([](smbd::NegotiateRequest& request) { request.min_version = request.max_version = 0x0200; });
  script.failure([](smbd::NegotiateResponse& response) { response.status = smbd::status::kNotSupported; });
  script.pause(7 * corpora::SmbdTraceBuilder::kSecond);
  script.close();
  EXPECT_THAT(rules_of_conversation(script), ElementsAre("SMBD-3.1.5.2-1", "SMBD-3.1.5.2-2", "SMBD-3.1.5.3-8"));
}

// A request that is not recognised has still arrived, so no side was waiting for it.
TEST(RefusedNegotiation, ThatCannotBeReadProvesNothing) {
  corpora::SmbdTraceBuilder script;
  script.connect();
  script.octets(Side::a, OctetBuffer(24, 0x99));
  script.failure();
  script.pause(7 * corpora::SmbdTraceBuilder::kSecond);
  script.close();
  EXPECT_THAT(rules_of_conversation(script), IsEmpty());
}

// A forbidden value that each side accepts here.
struct Accepted {
  const char* name;
  corpora::SmbdTraceBuilder::RequestEdit request;
  corpora::SmbdTraceBuilder::ResponseEdit response;
  std::set<std::string> rules;
};

void PrintTo(const Accepted& row, std::ostream* out) {
  *out << row.name;
}

class AcceptedNegotiation : public testing::TestWithParam<Accepted> {};

TEST_P(AcceptedNegotiation, FailsWhoeverGoesOn) {
  corpora::SmbdTraceBuilder script;
  script.connect();
  script.request(GetParam().request);
  script.response(GetParam().response);
  if (GetParam().response) script.exchange();
  script.close();
  EXPECT_EQ(rules_of_conversation(script), GetParam().rules);
}

INSTANTIATE_TEST_SUITE_P(
    Of, AcceptedNegotiation,
    testing::Values(Accepted{"Versions0200",
                             [](smbd::NegotiateRequest& one) { one.min_version = one.max_version = 0x0200; },
                             {},
                             {"SMBD-3.1.5.2-1", "SMBD-3.1.5.2-2", "SMBD-3.1.5.6-5"}},
                    Accepted{"VersionsFrom0101",
                             [](smbd::NegotiateRequest& one) {
                               one.min_version = 0x0101;
                               one.max_version = 0x0300;
                             },
                             {},
                             {"SMBD-3.1.5.2-1", "SMBD-3.1.5.2-2", "SMBD-3.1.5.6-5"}},
                    Accepted{"NoCredits",
                             [](smbd::NegotiateRequest& one) { one.credits_requested = 0; },
                             {},
                             {"SMBD-2.2.1-6", "SMBD-3.1.5.6-7"}},
                    Accepted{"SmallReceive",
                             [](smbd::NegotiateRequest& one) { one.max_receive_size = 127; },
                             [](smbd::NegotiateResponse& one) { one.preferred_send_size = 127; },
                             {"SMBD-2.2.1-8", "SMBD-3.1.5.6-8"}},
                    Accepted{"SmallMessages",
                             [](smbd::NegotiateRequest& one) { one.max_fragmented_size = 131'071; },
                             {},
                             {"SMBD-2.2.1-10", "SMBD-3.1.5.6-11"}},
                    Accepted{"Version0200",
                             {},
                             [](smbd::NegotiateResponse& one) { one.negotiated_version = 0x0200; },
                             {"SMBD-3.1.5.3-7", "SMBD-3.1.5.7-2"}},
                    Accepted{"NoCreditsAsked",
                             {},
                             [](smbd::NegotiateResponse& one) { one.credits_requested = 0; },
                             {"SMBD-2.2.2-9", "SMBD-3.1.5.7-6"}},
                    Accepted{"SmallReceiveOfTheListener",
                             {},
                             [](smbd::NegotiateResponse& one) { one.max_receive_size = 127; },
                             {"SMBD-2.2.2-15", "SMBD-3.1.5.7-3"}},
                    Accepted{"SmallMessagesOfTheListener",
                             {},
                             [](smbd::NegotiateResponse& one) { one.max_fragmented_size = 131'071; },
                             {"SMBD-2.2.2-16", "SMBD-3.1.5.7-4"}},
                    Accepted{"LargeMessagesOfTheListener",
                             {},
                             [](smbd::NegotiateResponse& one) {
                               one.preferred_send_size = corpora::SmbdTraceBuilder::kSize + 1;
                             },
                             {"SMBD-2.2.2-13", "SMBD-3.1.5.7-7"}}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(AcceptedNegotiation, OfNineteenOctetsFailsTheListener) {
  const OctetBuffer request = smbd::encode(smbd::NegotiateRequest{
      .credits_requested = 10, .preferred_send_size = 1024, .max_receive_size = 1024, .max_fragmented_size = 131'072});
  corpora::SmbdTraceBuilder script;
  script.connect();
  script.octets(Side::a, Octets(request).first(19));
  script.response();
  script.close();
  EXPECT_THAT(rules_of_conversation(script), ElementsAre("SMBD-2.2.1-11", "SMBD-3.1.5.6-3"));
}

TEST(AcceptedNegotiation, OfThirtyOneOctetsFailsTheInitiator) {
  const OctetBuffer response =
      smbd::encode(smbd::NegotiateResponse{.negotiated_version = smbd::kVersion1,
                                           .credits_requested = 10,
                                           .credits_granted = 10,
                                           .max_read_write_size = 65'536,
                                           .preferred_send_size = 1024,
                                           .max_receive_size = 1024,
                                           .max_fragmented_size = smbd::kLeastMaxFragmentedSize});
  corpora::SmbdTraceBuilder script;
  script.connect();
  script.request();
  script.octets(Side::b, Octets(response).first(31));
  script.exchange();
  script.close();
  EXPECT_THAT(rules_of_conversation(script), ElementsAre("SMBD-2.2.2-17", "SMBD-3.1.5.7-1"));
}

// A listener that sends a failure must not be able to do anything better.
class AnsweredByAFailure : public testing::TestWithParam<Accepted> {};

TEST_P(AnsweredByAFailure, FailsTheListener) {
  corpora::SmbdTraceBuilder script;
  script.connect();
  script.request(GetParam().request);
  script.failure(GetParam().response);
  script.close();
  EXPECT_EQ(rules_of_conversation(script), GetParam().rules);
}

INSTANTIATE_TEST_SUITE_P(
    Of, AnsweredByAFailure,
    testing::Values(Accepted{"VersionsByAnotherStatus",
                             [](smbd::NegotiateRequest& one) { one.min_version = one.max_version = 0x0200; },
                             {},
                             {"SMBD-3.1.5.2-1", "SMBD-3.1.5.2-2", "SMBD-3.1.5.6-5"}},
                    Accepted{"NoCredits",
                             [](smbd::NegotiateRequest& one) { one.credits_requested = 0; },
                             {},
                             {"SMBD-2.2.1-6", "SMBD-3.1.5.6-12"}},
                    Accepted{"SmallMessages",
                             [](smbd::NegotiateRequest& one) { one.max_fragmented_size = 131'071; },
                             {},
                             {"SMBD-2.2.1-10", "SMBD-3.1.5.6-12"}},
                    Accepted{"NothingThatIsWrong", {}, {}, {}}),
    [](const auto& each) { return std::string(each.param.name); });

// A token can be invalidated once each time that its owner lends it.
TEST(Invalidation, OfATokenThatIsNotLentAgainFails) {
  corpora::SmbdTraceBuilder script;
  script.establish();
  script.exchange();
  script.lend(Side::a);
  for (int i = 0; i < 2; ++i) script.segment(Side::b, 100, 0, {}, corpora::SmbdTraceBuilder::kToken);
  script.close();
  EXPECT_THAT(rules_of_conversation(script), ElementsAre("SMBD-3.1.4.2-7"));
}

// The upper layer may have the token from anywhere.
TEST(Invalidation, OfATokenThatNoPayloadHoldsIsNotJudged) {
  corpora::SmbdTraceBuilder script;
  script.establish();
  script.exchange();
  script.segment(Side::b, 100, 0, {}, corpora::SmbdTraceBuilder::kToken);
  script.close();
  EXPECT_THAT(rules_of_conversation(script), IsEmpty());
}

// The capture shows of the other side only acknowledgments: the message that spends the last credit was lost between
// the capture point and the side that grants nothing.
TEST(LostBehindTheTap, IsNoFaultOfWhoHasNotReceivedIt) {
  const std::string file = WIRELAW_SOURCE_DIR "/corpora/captures/smbd/lost_behind_the_tap_iwarp.pcap";
  for (const bool complete : {false, true}) EXPECT_THAT(judge(file, complete).results.findings, IsEmpty());
}

// Their octets are those of version 0x0100 in a Negotiate Request.
TEST(Credits, Of256InDataTransfersAreNoFault) {
  const std::string file = WIRELAW_SOURCE_DIR "/corpora/captures/smbd/credits_256.pcap";
  for (const bool complete : {false, true}) EXPECT_THAT(judge(file, complete).results.findings, IsEmpty());
}

TEST(BadSegment, IsBlamedOnce) {
  const FileResults judged = judge(WIRELAW_SOURCE_DIR "/corpora/captures/smbd/bad_last_segment_iwarp.pcap");
  std::vector<std::string> findings;
  for (const Finding& finding : judged.results.findings)
    findings.push_back(fmt::format("{} {}", finding.frame, finding.rule->id));
  EXPECT_THAT(findings, ElementsAre("22 SMBD-3.1.5.4-17"));
}

TEST(FailureThatIsNotZero, NamesTheField) {
  corpora::SmbdTraceBuilder script;
  script.connect();
  script.request();
  script.failure([](smbd::NegotiateResponse& response) { response.max_receive_size = 1'364; });
  script.close();
  const FileResults judged = judge_script(script);
  ASSERT_EQ(judged.results.findings.size(), 1u);
  EXPECT_EQ(judged.results.findings[0].rule->id, "SMBD-3.1.5.3-6");
  EXPECT_EQ(judged.results.findings[0].actual, "MaxReceiveSize 1364");
  EXPECT_EQ(judged.results.findings[0].offset, 24u);
  EXPECT_EQ(judged.results.findings[0].length, 4u);
}

std::string octets_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class SmbdTraces : public testing::Test {
 protected:
  const std::filesystem::path folder = WIRELAW_SOURCE_DIR "/corpora/smbd";
  const std::vector<corpora::Trace> traces = corpora::traces_of("smbd").traces;

  std::filesystem::path file_of(const corpora::Trace& trace) const {
    return folder / (trace.violates.empty() ? "conforming" : "violating") / (trace.name + ".pcapng");
  }
};

TEST_F(SmbdTraces, AreInTheTreeAsTheyAreWrittenNow) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string path = directory.path("trace.pcapng");
  for (const corpora::Trace& trace : traces) {
    ASSERT_TRUE(corpora::write_trace(trace, path));
    EXPECT_EQ(octets_of(path) == octets_of(file_of(trace)), true) << trace.name << ": run write_corpora";
  }
}

TEST_F(SmbdTraces, AreJudgedFromTheirFilesAlike) {
  EXPECT_GT(traces.size(), 70u);
  for (const corpora::Trace& trace : traces) {
    const FileResults judged = judge(file_of(trace).string());
    std::set<std::string> broken = trace.also_warned;
    if (!trace.violates.empty()) broken.insert(trace.violates);
    EXPECT_EQ(rules_of(judged.results, "smbd"), broken) << trace.name;
  }
}

}  // namespace
}  // namespace wirelaw
