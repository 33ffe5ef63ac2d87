// SPDX-License-Identifier: Apache-2.0
// Completeness of a capture file and its effect on verdicts: one conversation, in files that state different things
// about themselves. A server acknowledges a fragment that the capture does not contain.
#include "harness/check/completeness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "harness/check/check_files.h"
#include "pcap/read_all.h"
#include "pcap/temporary_directory.h"
#include "pcap/writer.h"

namespace wirelaw {
namespace {

using ::testing::HasSubstr;

constexpr const char* kCapture = WIRELAW_SOURCE_DIR "/corpora/ramcloud/violating/RAMCLOUD-ack-4.pcapng";
constexpr std::string_view kRule = "RAMCLOUD-ack-4";

class CompletenessOfAFile : public ::testing::Test {
 protected:
  // The frames of the capture, as `write` writes them.
  template <class Write>
  std::string copy(const Write& write) {
    const std::string path = directory.path("copy.pcapng");
    auto reader = pcap::Reader::open(kCapture);
    auto writer = pcap::Writer::create(path);
    EXPECT_TRUE(reader && writer);
    for (pcap::Frame frame; reader->next(frame);) write(*writer, frame);
    EXPECT_TRUE(writer->commit());
    return path;
  }
  static void all(pcap::Writer& writer, const pcap::Frame& frame) { EXPECT_TRUE(writer.write_frame(frame)); }

  void check(const std::string& file, bool complete = false) {
    const std::string files[] = {file};
    results = check_files(files, {.protocol = find_protocol("ramcloud"), .complete = complete}).results;
    ASSERT_EQ(results.inputs.size(), 1u);
    const auto rule = std::ranges::find_if(results.rules, [](const RuleResult& one) { return one.rule->id == kRule; });
    ASSERT_NE(rule, results.rules.end());
    broken = *rule;
  }

  pcap::testing::TemporaryDirectory directory;
  Results results;
  RuleResult broken;
};

TEST_F(CompletenessOfAFile, ItsStatisticsSayThatNothingWasDropped) {
  check(kCapture);
  EXPECT_EQ(results.inputs[0].completeness, Completeness::complete) << results.inputs[0].why;
  EXPECT_EQ(broken.verdict, Verdict::fail);
  EXPECT_EQ(broken.held_back, 0u);
  EXPECT_EQ(results.flows.at(0).completeness, Completeness::complete);
}

TEST_F(CompletenessOfAFile, WithoutStatisticsIsUnknownAndNobodyIsBlamedForWhatWasNotSeen) {
  check(copy(all));
  EXPECT_EQ(results.inputs[0].completeness, Completeness::unknown);
  EXPECT_THAT(results.inputs[0].why, HasSubstr("--complete"));
  EXPECT_EQ(broken.verdict, Verdict::inconclusive);
  EXPECT_EQ(broken.held_back, 1u);
  ASSERT_EQ(results.findings.size(), 1u);
  EXPECT_EQ(results.findings[0].severity, Severity::warning);
  EXPECT_TRUE(results.findings[0].held_back);
  EXPECT_EQ(results.flows.at(0).completeness, Completeness::unknown);
}

TEST_F(CompletenessOfAFile, TheUserKnowsBetter) {
  check(copy(all), true);
  EXPECT_EQ(results.inputs[0].completeness, Completeness::complete);
  EXPECT_EQ(broken.verdict, Verdict::fail);
}

TEST_F(CompletenessOfAFile, FramesThatAreNotAsManyAsItsStatisticsCountMakeItIncomplete) {
  // Some tools remove a frame and keep the other blocks: the statistics at the end are those of the complete file.
  const std::string less = copy([&](pcap::Writer& writer, const pcap::Frame& frame) {
    if (frame.number != 2) all(writer, frame);
  });
  OctetBuffer file = pcap::testing::read_file(less);
  const OctetBuffer whole = pcap::testing::read_file(kCapture);
  const std::size_t length = load_little_endian<std::uint32_t>(whole.data() + whole.size() - 4);
  file.insert(file.end(), whole.end() - static_cast<std::ptrdiff_t>(length), whole.end());
  check(directory.write("less.pcapng", file));
  EXPECT_EQ(results.inputs[0].completeness, Completeness::incomplete);
  EXPECT_THAT(results.inputs[0].why, HasSubstr("statistics count"));
  EXPECT_EQ(broken.failed, 0u);
}

TEST_F(CompletenessOfAFile, OneDirectionOfAFlowIsNotAllOfIt) {
  check(copy([&](pcap::Writer& writer, const pcap::Frame& frame) {
    constexpr std::size_t kLastOfSource = 29;  // Ethernet, IPv4
    if (frame.octets[kLastOfSource] == 1) all(writer, frame);
  }));
  ASSERT_EQ(results.flows.size(), 1u);
  EXPECT_EQ(results.flows[0].completeness, Completeness::incomplete);
  EXPECT_EQ(results.flows[0].missing, "one of its directions");
}

// One frame from each side's interface, and clean statistics for both. Two clocks prove nothing about the order of the
// directions.
TEST_F(CompletenessOfAFile, FramesOfOneFlowFromTwoInterfacesHaveNoCertainOrder) {
  const auto number = [](std::size_t value, std::size_t size = 4) {
    OctetBuffer octets(size);
    for (std::size_t i = 0; i < size; ++i) octets[i] = static_cast<Octet>(value >> (8 * i));
    return octets;
  };
  const auto append = [](OctetBuffer& to, const OctetBuffer& octets) {
    to.insert(to.end(), octets.begin(), octets.end());
  };
  for (const bool two : {false, true}) {
    OctetBuffer file;
    const auto block = [&](std::size_t type, const std::vector<OctetBuffer>& parts) {
      OctetBuffer body;
      for (const OctetBuffer& part : parts) append(body, part);
      body.resize((body.size() + 3) / 4 * 4);
      for (const OctetBuffer& part : {number(type), number(body.size() + 12), body, number(body.size() + 12)})
        append(file, part);
    };
    block(0x0a0d0d0a, {number(0x1a2b3c4d), number(1), number(~std::size_t{0}, 8)});
    for (int i = 0; i < 2; ++i) block(1, {number(1), number(0)});
    copy([&](pcap::Writer&, const pcap::Frame& frame) {
      constexpr std::size_t kLastOfSource = 29;  // Ethernet, IPv4
      const std::size_t interface = two && frame.octets[kLastOfSource] == 1 ? 1 : 0;
      const auto micros = static_cast<std::size_t>(frame.time_ns / 1000);
      block(6, {number(interface),
                number(micros >> 32),
                number(micros & 0xffffffff),
                number(frame.octets.size()),
                number(frame.octets.size()),
                {frame.octets.begin(), frame.octets.end()}});
    });
    for (std::size_t i = 0; i < 2; ++i)  // isb_ifdrop
      block(5, {number(i), number(0), number(0), number(5, 2), number(8, 2), number(0, 8)});
    check(directory.write("two.pcapng", file));
    EXPECT_EQ(results.inputs[0].completeness, two ? Completeness::unknown : Completeness::complete)
        << results.inputs[0].why;
    EXPECT_EQ(broken.failed, two ? 0u : 1u);
    EXPECT_EQ(broken.held_back, two ? 1u : 0u);
    if (!two) continue;
    EXPECT_THAT(results.inputs[0].why, HasSubstr("clocks may differ"));
    // --complete answers for the order too, and the report says so.
    check(directory.path("two.pcapng"), true);
    EXPECT_EQ(broken.failed, 1u);
    EXPECT_THAT(results.inputs[0].why, HasSubstr("clocks"));
  }
}

// Their content is unknown. The rest is judged, and the run does not pass.
TEST_F(CompletenessOfAFile, FramesThatCannotBeReadMakeTheRunIncomplete) {
  constexpr std::size_t kVersion = 14, kTotalLength = 16, kFragment = 20, kHeaders = 40;  // Ethernet, IPv4
  struct Row {
    std::string_view says;
    void (*damage)(OctetBuffer& octets);
  };
  const Row rows[] = {
      {"1 frame is malformed", [](OctetBuffer& octets) { octets[kTotalLength] = 0xff; }},
      {"1 frame is malformed", [](OctetBuffer& octets) { octets[kVersion] = 0x55; }},
      {"1 frame is cut within its headers", [](OctetBuffer& octets) { octets.resize(kHeaders); }},
      {"1 packet lacks fragments", [](OctetBuffer& octets) { octets[kFragment + 1] = 1; }},
  };
  for (const Row& row : rows) {
    OctetBuffer damaged;
    const std::string file = copy([&](pcap::Writer& writer, const pcap::Frame& frame) {
      pcap::Frame other = frame;
      if (frame.number == 2) {
        damaged.assign(frame.octets.begin(), frame.octets.end());
        row.damage(damaged);
        other.octets = damaged;
      }
      all(writer, other);
    });
    const std::string files[] = {file};
    const FileResults run = check_files(files, {.protocol = find_protocol("ramcloud")});
    EXPECT_EQ(run.results.inputs.at(0).completeness, Completeness::incomplete) << row.says;
    EXPECT_EQ(run.results.inputs.at(0).why, row.says);
    ASSERT_EQ(run.incomplete.size(), 1u) << row.says;
    EXPECT_EQ(run.incomplete[0].message, std::string(row.says) + ": what is in them was not judged");
    EXPECT_GT(run.results.flows.size(), 0u);
  }
}

// What was cut may be what a flow would be recognised by, so that no flow with cut packets is part of a pass.
TEST_F(CompletenessOfAFile, PacketsThatAreCutMakeTheRunIncomplete) {
  for (const char* source : {"found/umsp-06-begin-sq-in-second-two-conns.pcap", "iwarp/siw_term_read-oob.pcap",
                             "ramcloud/ramcloud-cpp2016-open-single.pcap", "found/10f-control-far-starting-psns.pcap"})
    for (std::size_t snap_length = 42; snap_length < 180; snap_length += 4) {
      auto reader = pcap::Reader::open(WIRELAW_SOURCE_DIR "/corpora/captures/" + std::string(source));
      const std::string path = directory.path("cut.pcapng");
      auto writer = pcap::Writer::create(path);
      ASSERT_TRUE(reader && writer);
      bool is_cut = false;
      for (pcap::Frame frame; reader->next(frame);) {
        is_cut |= frame.octets.size() > snap_length;
        frame.octets = frame.octets.first(std::min(snap_length, frame.octets.size()));
        all(*writer, frame);
      }
      ASSERT_TRUE(writer->commit());
      const std::string files[] = {path};
      const FileResults run = check_files(files, {});
      if (is_cut) {
        EXPECT_FALSE(run.incomplete.empty()) << source << " cut to " << snap_length;
      }
      for (const FlowResult& flow : run.results.flows)
        if (flow.note.find("cut by the snap length") != std::string::npos) {
          EXPECT_EQ(flow.note.find("to which its port is assigned"), std::string::npos) << flow.note;
        }
    }
}

TEST(CompletenessOfAFlow, AStreamThatHasBegunBeforeTheCaptureIsNotAllOfIt) {
  for (const bool from_start : {true, false}) {
    Judge judge(catalogue_for(nullptr));
    JudgedFlow flow;
    flow.observe(StreamPiece{.event = StreamEvent::opened, .from_start = from_start}, judge);
    const FlowResult result = flow.result(0, 0);
    EXPECT_EQ(result.completeness, from_start ? Completeness::complete : Completeness::incomplete);
    EXPECT_EQ(result.missing, from_start ? "" : "the beginning of its streams");
  }
}

TEST_F(CompletenessOfAFile, FramesOutOfOrderAreJudgedInTheOrderOfTheirTimeStamps) {
  check(kCapture);
  const std::vector<Finding> expected = results.findings;
  std::vector<OctetBuffer> octets;
  std::vector<pcap::Frame> frames;
  copy([&](pcap::Writer& writer, const pcap::Frame& frame) {
    all(writer, frame);
    octets.emplace_back(frame.octets.begin(), frame.octets.end());
    frames.push_back(frame);
  });
  auto writer = pcap::Writer::create(directory.path("swapped.pcapng"));
  ASSERT_TRUE(writer);
  for (std::size_t i = 0; i < frames.size(); ++i) frames[i].octets = octets[i];
  std::swap(frames[1], frames[2]);
  for (const pcap::Frame& frame : frames) all(*writer, frame);
  writer->say_complete();
  ASSERT_TRUE(writer->commit());
  check(directory.path("swapped.pcapng"));
  ASSERT_EQ(results.findings.size(), expected.size());
  EXPECT_EQ(results.findings[0].message, expected[0].message);
  EXPECT_EQ(results.findings[0].rule, expected[0].rule);
  EXPECT_EQ(results.findings[0].severity, Severity::violation);
}

}  // namespace
}  // namespace wirelaw
