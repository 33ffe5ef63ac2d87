// SPDX-License-Identifier: Apache-2.0
// Messages at the ports of SMB Direct that only may be SMB Direct. The port is no proof, and neither is one message:
// the other side must agree, unless it sends nothing more.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "corpora/traces/smbd_builder.h"
#include "corpora/traces/trace.h"
#include "harness/check/check_files.h"
#include "pcap/temporary_directory.h"

namespace wirelaw {
namespace {

using corpora::SmbdTraceBuilder;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Side a = Side::a, b = Side::b;
constexpr std::uint16_t kAnyPort = 7174;

struct Judged {
  std::string above;  // empty: only iWARP was recognised
  std::vector<std::string> failed;
};

Judged judge(SmbdTraceBuilder& script, std::uint16_t port = SmbdTraceBuilder::kPort) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string path = directory.path("trace.pcapng");
  EXPECT_TRUE(
      corpora::write_trace({.name = "trace", .messages = script.take(), .is_stream = true, .port = port}, path));
  const std::string files[] = {path};
  const FileResults results = check_files(files, {.complete = true});
  Judged judged;
  for (const FlowResult& flow : results.results.flows) judged.above += flow.above;
  for (const Finding& one : results.results.findings)
    if (one.severity == Severity::violation) judged.failed.emplace_back(one.rule->id);
  return judged;
}

// A message of another protocol that could be a Data Transfer: it asks for credits, and has four octets at offset 24.
OctetBuffer like_data() {
  OctetBuffer octets(32);
  octets[0] = 1;
  octets[2] = 1;
  octets[12] = 24;
  octets[16] = 4;
  return octets;
}

TEST(PortOfSmbDirect, WithAMessageThatTheOtherSideAnswersInAnotherProtocolIsNotSmbDirect) {
  const OctetBuffer short_answer{1, 2, 3}, zeros(20), text{'o', 'k', ' ', 'a', 'n', 'd', ' ', 'n', 'o', 'w'};
  for (const OctetBuffer& answer : {short_answer, zeros, text, OctetBuffer(64, 0x55), OctetBuffer(600, 0x55)}) {
    SmbdTraceBuilder script;
    script.connect();
    script.octets(a, like_data());
    script.octets(b, answer);
    script.octets(a, like_data());
    script.octets(b, like_data());
    const Judged judged = judge(script);
    EXPECT_EQ(judged.above, "") << answer.size();
    EXPECT_THAT(judged.failed, IsEmpty()) << answer.size();
  }
}

TEST(PortOfSmbDirect, WithMessagesOfOneSideThatChangeTheirFormIsNotSmbDirect) {
  SmbdTraceBuilder script;
  script.connect();
  script.octets(a, like_data());
  script.octets(a, OctetBuffer(48, 0xaa));
  script.octets(b, like_data());
  const Judged judged = judge(script);
  EXPECT_EQ(judged.above, "");
  EXPECT_THAT(judged.failed, IsEmpty());
}

TEST(PortOfSmbDirect, WithDataTransfersOfBothSidesIsSmbDirectWithoutItsNegotiation) {
  SmbdTraceBuilder script;
  script.connect();
  script.octets(a, like_data());
  script.octets(b, like_data());
  const Judged judged = judge(script);
  EXPECT_EQ(judged.above, "smbd");
  EXPECT_THAT(judged.failed, Not(IsEmpty()));
}

TEST(PortOfSmbDirect, WithAFaultyRequestThatIsRefusedIsSmbDirect) {
  SmbdTraceBuilder script;
  script.connect();
  script.request([](smbd::NegotiateRequest& request) { request.min_version = request.max_version = 0x0200; });
  script.failure([](smbd::NegotiateResponse& response) { response.status = smbd::status::kNotSupported; });
  script.close();
  const Judged judged = judge(script);
  EXPECT_EQ(judged.above, "smbd");
  EXPECT_THAT(judged.failed, Contains("SMBD-3.1.5.2-1"));
}

TEST(PortOfSmbDirect, WithAFaultyRequestAfterWhichTheConnectionEndsIsSmbDirect) {
  for (const bool is_closed : {true, false}) {
    SmbdTraceBuilder script;
    script.connect();
    script.request([](smbd::NegotiateRequest& request) { request.min_version = request.max_version = 0x0200; });
    if (is_closed) script.close();
    const Judged judged = judge(script);
    EXPECT_EQ(judged.above, "smbd");
    EXPECT_THAT(judged.failed, Contains("SMBD-3.1.5.2-1"));
  }
}

TEST(AnotherPort, IsNotSmbDirectWithoutCertainContent) {
  SmbdTraceBuilder script;
  script.connect();
  script.octets(a, like_data());
  script.octets(b, like_data());
  EXPECT_EQ(judge(script, kAnyPort).above, "");
}

}  // namespace
}  // namespace wirelaw
