// SPDX-License-Identifier: Apache-2.0
// RoCE in captures whose directions two clocks have stamped, also if they differ by more than the opening of a
// connection takes: the packets of one side then come before the ConnectRequest or the ConnectReply of the other.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "corpora/traces/roce_builder.h"
#include "corpora/traces/smbd_builder.h"
#include "corpora/traces/trace.h"
#include "harness/check/check_files.h"
#include "pcap/packet_reader.h"
#include "pcap/temporary_directory.h"
#include "pcap/writer.h"

namespace wirelaw {
namespace {

using corpora::SmbdTraceBuilder, corpora::Trace;
using pcap::testing::TemporaryDirectory;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::int64_t kMicrosecond = 1000, kMillisecond = 1000 * kMicrosecond, kSecond = 1000 * kMillisecond;
constexpr std::int64_t kSkews[] = {50 * kMicrosecond, 5 * kMillisecond, 50 * kMillisecond, kSecond};

struct StoredFrame {
  pcap::Frame frame;
  OctetBuffer octets;
  std::optional<pcap::Address> source;
};

std::vector<StoredFrame> frames_of(const std::string& path) {
  std::map<std::uint64_t, pcap::Address> sources;
  auto packets = pcap::PacketReader::open(path);
  EXPECT_TRUE(packets);
  pcap::Datagram datagram;
  pcap::Segment segment;
  for (pcap::Transport read; (read = packets->next(datagram, segment)) != pcap::Transport::none;)
    if (read != pcap::Transport::tcp) sources.emplace(datagram.frame, datagram.source.address);
  std::vector<StoredFrame> frames;
  auto reader = pcap::Reader::open(path);
  EXPECT_TRUE(reader);
  for (pcap::Frame frame; reader->next(frame);) {
    StoredFrame& one = frames.emplace_back(StoredFrame{frame, {frame.octets.begin(), frame.octets.end()}, {}});
    if (const auto found = sources.find(frame.number); found != sources.end()) one.source = found->second;
  }
  return frames;
}

// Judges the frames as two clocks would have stamped them: all frames of the first sender are later by this much, or
// earlier if it is negative.
FileResults judge(std::vector<StoredFrame> frames, std::int64_t skew_ns, CheckOptions options = {}) {
  const auto first = std::ranges::find_if(frames, [](const StoredFrame& one) { return one.source.has_value(); });
  EXPECT_NE(first, frames.end());
  const pcap::Address late = *first->source;
  for (StoredFrame& one : frames)
    if (one.source == late) one.frame.time_ns += skew_ns;
  std::ranges::stable_sort(frames, {}, [](const StoredFrame& one) { return one.frame.time_ns; });
  const TemporaryDirectory directory;
  const std::string path = directory.path("skewed.pcapng");
  auto writer = pcap::Writer::create(path);
  EXPECT_TRUE(writer);
  for (StoredFrame& one : frames) {
    one.frame.octets = one.octets;
    EXPECT_TRUE(writer->write_frame(one.frame));
  }
  EXPECT_TRUE(writer->commit());
  const std::string files[] = {path};
  options.judge.findings_per_rule_and_flow = JudgeLimits::kUnlimited;
  return check_files(files, options);
}

FileResults judge(const Trace& trace, std::int64_t skew_ns, const CheckOptions& options = {}) {
  const TemporaryDirectory directory;
  const std::string path = directory.path("trace.pcapng");
  EXPECT_TRUE(corpora::write_trace(trace, path));
  return judge(frames_of(path), skew_ns, options);
}

std::set<std::string> findings_of(const FileResults& judged) {
  std::set<std::string> said;
  for (const Finding& one : judged.results.findings)
    said.insert(
        fmt::format("{} {}", one.held_back || one.severity == Severity::warning ? "warn" : "fail", one.rule->id));
  return said;
}

std::set<std::string> problems_of(const FileResults& judged) {
  std::set<std::string> said;
  for (const InputProblem& one : judged.results.problems) said.insert(one.message);
  return said;
}

// The flows that carry another protocol.
std::vector<FlowResult> connections(const FileResults& judged) {
  std::vector<FlowResult> flows;
  for (const FlowResult& flow : judged.results.flows)
    if (!flow.above.empty()) flows.push_back(flow);
  return flows;
}

class RoceClocks : public ::testing::TestWithParam<std::string> {};

TEST_P(RoceClocks, ChangeNoFindingOfACapture) {
  const std::vector<StoredFrame> frames = frames_of(WIRELAW_SOURCE_DIR "/corpora/captures/found/" + GetParam());
  const FileResults plain = judge(frames, 0);
  const auto expected = findings_of(plain);
  EXPECT_THAT(expected, Not(IsEmpty()));
  for (const std::int64_t skew_ns : kSkews)
    for (const std::int64_t by_ns : {skew_ns, -skew_ns}) {
      SCOPED_TRACE(fmt::format("{} us", by_ns / kMicrosecond));
      const FileResults judged = judge(frames, by_ns);
      EXPECT_EQ(findings_of(judged), expected);
      EXPECT_EQ(connections(judged).size(), connections(plain).size());
      EXPECT_EQ(judged.incomplete.size(), plain.incomplete.size());
    }
}

INSTANTIATE_TEST_SUITE_P(Captures, RoceClocks,
                         ::testing::Values("10f-control-far-starting-psns.pcap",
                                           "10f-near-starting-psns-fault-hidden.pcap", "14d-roce-v1.pcap",
                                           "capture-smbd_over_ib_erf197.pcap", "capture-smbd_over_rocev1_8915.pcap"));

// Each trace that breaks a rule, and each that breaks none.
TEST(RoceClocks, ChangeNoFindingOfATrace) {
  std::size_t judged_traces = 0;
  for (const Trace& trace : corpora::traces_of("smbd").traces) {
    if (!trace.is_roce || ++judged_traces % 3 != 0) continue;
    const auto expected = findings_of(judge(trace, 0));
    for (const std::int64_t skew_ns : {50 * kMillisecond, -50 * kMillisecond, kSecond, -kSecond})
      EXPECT_EQ(findings_of(judge(trace, skew_ns)), expected) << trace.name << ", " << skew_ns << " ns";
  }
  EXPECT_GT(judged_traces, 70U);
}

constexpr std::string_view kBroken = "SMBD-2.2.3-6";  // by a conversation with a fault

Trace conversation(int messages, bool has_fault) {
  SmbdTraceBuilder script(corpora::smbd_over_roce());
  script.establish();
  for (int count = 0; count < messages; ++count)
    for (const Side side : {Side::a, Side::b}) script.data(side, 100);
  if (has_fault) script.data(Side::a, 100, [](smbd::DataTransfer& data) { data.reserved = 1; });
  script.close();
  return {.name = "roce", .violates = {}, .purpose = {}, .messages = script.take(), .is_roce = true};
}

TEST(RoceClocks, AreReportedWithTheirDifference) {
  for (const std::int64_t skew_ns : kSkews)
    for (const std::int64_t by_ns : {skew_ns, -skew_ns}) {
      SCOPED_TRACE(fmt::format("{} us", by_ns / kMicrosecond));
      const FileResults judged = judge(conversation(20, true), by_ns);
      EXPECT_THAT(findings_of(judged), ElementsAre(fmt::format("fail {}", kBroken)));
      if (skew_ns < 5 * kMillisecond) continue;  // less than a packet takes in the trace
      std::vector<std::int64_t> said;
      for (const InputProblem& one : judged.results.problems)
        if (const auto at = one.message.find(" us later than the answer to it"); at != std::string::npos)
          said.push_back(std::stoll(one.message.substr(one.message.rfind(' ', at - 1) + 1)) * kMicrosecond);
      ASSERT_EQ(said.size(), 1U);
      EXPECT_LE(said[0], skew_ns);
      EXPECT_GE(said[0], skew_ns - 5 * kMillisecond) << "less than an answer takes";
      EXPECT_THAT(judged.incomplete, IsEmpty());
    }
  EXPECT_THAT(problems_of(judge(conversation(20, true), 0)), Not(Contains(HasSubstr("clocks"))));
}

// More packets than may wait. What is lost with them is said, and nobody is blamed.
TEST(RoceClocks, ThatDifferByTooMuchMakeARunIncomplete) {
  for (const bool has_fault : {false, true})
    for (const std::int64_t by_ns : {3 * kSecond, -3 * kSecond}) {
      SCOPED_TRACE(fmt::format("{} ns", by_ns));
      const FileResults judged = judge(conversation(1500, has_fault), by_ns);
      for (const Finding& one : judged.results.findings)
        if (one.severity == Severity::violation) {
          EXPECT_TRUE(has_fault && one.rule->id == kBroken) << one.rule->id;
        }
      EXPECT_THAT(judged.incomplete,
                  Contains(Field(&InputProblem::message, HasSubstr("captured while a connection was being opened"))));
      ASSERT_EQ(judged.results.inputs.size(), 1U);
      EXPECT_EQ(judged.results.inputs[0].completeness, Completeness::incomplete);
    }
}

TEST(RoceClocks, LeaveACaptureThatLacksTheReplyIncomplete) {
  Trace trace = conversation(20, false);
  trace.messages.erase(trace.messages.begin() + 1);
  const FileResults judged = judge(trace, 0);
  EXPECT_THAT(judged.results.findings, IsEmpty());
  EXPECT_THAT(judged.incomplete, Not(IsEmpty()));
  EXPECT_EQ(judged.results.inputs[0].completeness, Completeness::incomplete);
}

}  // namespace
}  // namespace wirelaw
