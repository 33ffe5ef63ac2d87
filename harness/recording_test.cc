// SPDX-License-Identifier: Apache-2.0
// A run's recording, judged again as a capture, gives the verdicts of the run.
#include "harness/recording.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "conformance/ramcloud/ramcloud.h"
#include "harness/check_files.h"
#include "harness/memory_run.h"
#include "harness/pcapng_recording.h"

namespace wirelaw {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Kept final : public FrameSink {
 public:
  void write(const RecordedFrame& frame) override { frames.push_back(frame); }
  std::vector<RecordedFrame> frames;
};

TEST(Recording, HoldsACasesFramesBackForWhatIsFoundLater) {
  Kept sink;
  Recording recording(sink);
  recording.announce("case one");
  EXPECT_EQ(recording.add({}), 1u);
  EXPECT_EQ(recording.add({}), 2u);
  recording.annotate(1, "a finding");
  recording.annotate(3, "about no frame");
  EXPECT_THAT(sink.frames, IsEmpty());
  recording.flush();
  ASSERT_EQ(sink.frames.size(), 2u);
  EXPECT_THAT(sink.frames[0].comments, ElementsAre("case one", "a finding"));
  EXPECT_THAT(sink.frames[1].comments, IsEmpty());
  recording.annotate(1, "too late");
  EXPECT_EQ(recording.add({}), 3u);
}

struct Recorded {
  RunOutcome live;
  FileResults offline;
  std::vector<RecordedFrame> frames;
};

// Writes to the file and keeps a copy.
class Both final : public FrameSink {
 public:
  Both(FrameSink& one, FrameSink& two) : one_(one), two_(two) {}
  void write(const RecordedFrame& frame) override {
    one_.write(frame);
    two_.write(frame);
  }

 private:
  FrameSink& one_;
  FrameSink& two_;
};

Recorded record(Role iut, std::vector<std::string> deviations, const Impairments& impairments = {}) {
  std::string directory = testing::TempDir() + "wirelaw-recording.XXXXXX";
  if (mkdtemp(directory.data()) == nullptr) throw std::runtime_error("no temporary directory: " + directory);
  const std::string file = directory + "/run.pcapng";
  auto pcapng = PcapngSink::create(file, section_comment("iut=192.0.2.2:21201", "ramcloud")).value();
  Kept kept;
  Both both(pcapng, kept);
  Recording recording(both);
  Recorded recorded{.live = run_in_memory(ramcloud::kProtocol, {.iut = iut, .application = Application::count},
                                          {.deviations = std::move(deviations), .impairments = impairments}, &recording)
                                .value()};
  recording.flush();
  EXPECT_TRUE(pcapng.commit());
  recorded.offline = check_files(std::vector<std::string>{file}, {});
  recorded.frames = std::move(kept.frames);
  std::filesystem::remove_all(directory);
  return recorded;
}

// Rule by rule, where the trace alone shows it.
std::vector<std::string> trace_verdicts(const Results& results) {
  std::vector<std::string> verdicts;
  for (const RuleResult& one : results.rules) {
    if (one.rule->observable != Observable::trace) continue;
    verdicts.push_back(fmt::format("{}: exercised {}, failed {}", one.rule->id, one.exercised, one.failed));
  }
  return verdicts;
}

class Replay : public testing::TestWithParam<Role> {};
INSTANTIATE_TEST_SUITE_P(Roles, Replay, testing::Values(Role::responder, Role::initiator),
                         [](const auto& role) { return role.param == Role::responder ? "Server" : "Client"; });

TEST_P(Replay, AnHonestPeersCaptureGivesTheVerdictsOfTheRun) {
  const Recorded recorded = record(GetParam(), {});
  EXPECT_TRUE(recorded.offline.incomplete.empty());
  EXPECT_EQ(recorded.offline.results.flows.size(), recorded.live.results.flows.size());
  EXPECT_EQ(trace_verdicts(recorded.offline.results), trace_verdicts(recorded.live.results));
}

TEST_P(Replay, AFaultyPeersCaptureGivesTheVerdictsOfTheRunOnARoughNetwork) {
  const Recorded recorded =
      record(GetParam(), {"reserved1-sent"}, {.loss = 0.1, .duplication = 0.1, .reordering = 0.1});
  EXPECT_EQ(trace_verdicts(recorded.offline.results), trace_verdicts(recorded.live.results));
}

TEST(Replay, CommentsNameTheCaseAndTheFindings) {
  const Recorded recorded = record(Role::responder, {"reserved1-sent"});
  std::vector<std::string> comments;
  for (const RecordedFrame& frame : recorded.frames)
    comments.insert(comments.end(), frame.comments.begin(), frame.comments.end());
  EXPECT_THAT(comments, Contains(StartsWith("case ")));
  EXPECT_THAT(comments, Contains(AllOf(StartsWith("RAMCLOUD-"), HasSubstr(": violation: expected "))));
  const CaseResult& one = recorded.live.results.cases.at(0);
  EXPECT_EQ(one.first_frame, 1u);
  EXPECT_THAT(one.last_frame, Ge(one.first_frame));
  ASSERT_FALSE(recorded.frames[0].comments.empty());
  EXPECT_EQ(recorded.frames[0].comments[0], fmt::format("case {}: {}", one.id, one.purpose));
}

}  // namespace
}  // namespace wirelaw
