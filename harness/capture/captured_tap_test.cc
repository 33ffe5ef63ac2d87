// SPDX-License-Identifier: Apache-2.0
// Runs whose wire is captured at the same time: only what the capture shows is judged.
#include "harness/capture/captured_tap.h"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <thread>

#include "conformance/rdmap/rdmap.h"
#include "harness/capture/mirror.h"
#include "harness/capture/own_network.h"
#include "harness/check/check_files.h"
#include "harness/pcapng_recording.h"
#include "harness/peers/reference_peers.h"
#include "harness/runner.h"
#include "harness/transports/live_iut.h"
#include "harness/transports/memory/memory_iut.h"
#include "harness/transports/tcp/tcp_service.h"
#include "harness/verdict_lines.h"
#include "pcap/temporary_directory.h"

namespace wirelaw {
namespace {

using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::chrono::milliseconds kPatience{2000};  // in virtual time, if the capture is a mirror

struct Tested {
  Role role = Role::responder;
  std::vector<std::string> deviations = {};
  std::vector<std::string> settings = {};
  std::vector<std::string> cases = {};
};

std::unique_ptr<Iut> iut_of(const Tested& tested) {
  const PeerOptions options{
      .role = tested.role, .application = Service::echo, .deviations = tested.deviations, .settings = tested.settings};
  auto maker = find_reference_peer("rdmap")->maker(options);
  return make_memory_iut(maker.value(), {.framing = kStreams, .network_faults = {.cut = std::size_t{1} << 20}});
}

RunOutcome run(Iut& iut, const Tested& tested, Recording* recording = nullptr, WireCapture* capture = nullptr) {
  return run_cases(rdmap::kProtocol, iut, {.iut = tested.role, .selection = {.cases = tested.cases}}, recording, {},
                   capture);
}

RunOutcome run_captured(const Tested& tested, Mirror& mirror, Recording* recording = nullptr) {
  MirroredIut iut(iut_of(tested), mirror);
  WireCapture capture(std::make_unique<MirroredFrames>(mirror), kPatience);
  return run(iut, tested, recording, &capture);
}

std::map<std::string, Verdict> verdicts_of(const RunOutcome& outcome) {
  std::map<std::string, Verdict> verdicts;
  for (const CaseResult& one : outcome.results.cases) verdicts.emplace(one.id, one.verdict);
  return verdicts;
}

class Captured : public testing::TestWithParam<Tested> {};
INSTANTIATE_TEST_SUITE_P(
    Peers, Captured,
    testing::Values(Tested{Role::responder}, Tested{Role::initiator}, Tested{Role::responder, {"ddp-reserved-set"}},
                    Tested{Role::initiator, {"ddp-reserved-set"}}, Tested{Role::responder, {"response-to-wrong"}},
                    Tested{Role::responder, {}, {"verbs"}}, Tested{Role::initiator, {}, {"verbs"}}),
    [](const auto& one) {
      std::string name = one.param.role == Role::responder ? "Responder" : "Initiator";
      for (const auto* words : {&one.param.deviations, &one.param.settings})
        for (std::string word : *words) {
          std::ranges::replace(word, '-', '_');
          name += "_" + word;
        }
      return name;
    });

TEST_P(Captured, ARunHasTheVerdictsOfOneThatIsNot) {
  const auto plain = run(*iut_of(GetParam()), GetParam());
  Mirror mirror;
  const auto captured = run_captured(GetParam(), mirror);
  EXPECT_GT(mirror.carried, 1000u);
  EXPECT_EQ(verdicts_of(captured), verdicts_of(plain));
  EXPECT_EQ(captured.results.findings.empty(), plain.results.findings.empty());
}

// Judges the run's recording again.
template <class Run>
void expect_the_same_offline(const std::string& note, const Run& run) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string file = directory.path("run.pcapng");
  auto sink =
      PcapngSink::create(file, section_comment({.iut = note, .protocol = "rdmap", .headers = Headers::captured}))
          .value();
  Recording recording(sink);
  const RunOutcome live = run(recording);
  recording.flush();
  sink.say_complete();
  ASSERT_TRUE(sink.commit());
  const FileResults offline = check_files(std::vector<std::string>{file}, {});
  EXPECT_TRUE(offline.incomplete.empty());
  EXPECT_EQ(offline.results.inputs.at(0).frames, recording.frames());
  EXPECT_EQ(flow_lines(offline.results), flow_lines(live.results));
  EXPECT_EQ(trace_verdicts(offline.results, rdmap::kProtocol), trace_verdicts(live.results, rdmap::kProtocol));
  const auto offline_findings = finding_lines(offline.results), live_findings = finding_lines(live.results);
  // A case has its own findings as well.
  for (const std::string& one : offline_findings) EXPECT_THAT(live_findings, testing::Contains(one));
  for (const CaseResult& one : live.results.cases)
    EXPECT_TRUE(one.first_frame > 0 || one.verdict != Verdict::pass) << one.id;
}

TEST_P(Captured, ARecordingHoldsTheCapturedFramesAndGivesTheVerdictsOfTheRun) {
  Mirror mirror;
  MirroredIut iut(iut_of(GetParam()), mirror);
  WireCapture capture(std::make_unique<MirroredFrames>(mirror), kPatience);
  expect_the_same_offline(iut.capture_note(),
                          [&](Recording& recording) { return run(iut, GetParam(), &recording, &capture); });
}

// --- what the capture does not show

const Tested kFramesEveryLength{.cases = {"mpa/responder-frames-every-length"}};
const Tested kReservedSet{.deviations = {"ddp-reserved-set"}, .cases = {"rdmap/responder-answers-reads"}};

const RuleResult& result_of(const RunOutcome& outcome, std::string_view rule) {
  return *std::ranges::find_if(outcome.results.rules, [&](const RuleResult& one) { return one.rule->id == rule; });
}

TEST(Captured, AFrameThatIsLostFailsNothingAndIsSaid) {
  Mirror whole;
  const auto good = run_captured(kReservedSet, whole);
  ASSERT_THAT(good.results.findings, Not(IsEmpty()));
  for (std::uint64_t frame = 1; frame <= whole.carried; ++frame) {
    Mirror mirror;
    mirror.lost = {frame};
    const auto outcome = run_captured(kReservedSet, mirror);
    ASSERT_EQ(mirror.reported, 1u);
    // The case has a flow, and its control another.
    EXPECT_EQ(std::ranges::count_if(outcome.results.flows,
                                    [](const FlowResult& flow) {
                                      return flow.state == FlowState::partial &&
                                             flow.note.find("the capture on mirror0 has lost 1 frame") == 0;
                                    }),
              1)
        << frame << " of " << whole.carried;
    // All findings are from frames before the hole.
    EXPECT_LE(outcome.results.findings.size(), good.results.findings.size());
    for (const Finding& one : outcome.results.findings)
      EXPECT_TRUE(std::ranges::any_of(
          good.results.findings,
          [&](const Finding& known) { return known.rule == one.rule && known.message == one.message; }))
          << frame << ": " << one.rule->id << " " << one.explanation;
  }
}

TEST(Captured, ACaseWhoseWireWasNotSeenPassesOnlyWhereItsRulesAreNotOfTheWire) {
  for (const bool blind : {false, true}) {
    Mirror mirror;
    mirror.blind = blind;
    mirror.lost = {1};
    const auto outcome = run_captured(kFramesEveryLength, mirror);
    const CaseResult& one = outcome.results.cases.at(0);
    EXPECT_EQ(one.verdict, Verdict::inconclusive) << one.reason;
    EXPECT_THAT(one.reason, HasSubstr(blind ? "the capture on mirror0 does not show what has come"
                                            : "the capture on mirror0 has lost 1 frame"));
    EXPECT_THAT(outcome.results.findings, IsEmpty());
    for (const Rule* rule : one.rules)
      if (rule->observable == Observable::trace) {
        EXPECT_EQ(result_of(outcome, rule->id).verdict, Verdict::inconclusive) << rule->id;
        EXPECT_THAT(result_of(outcome, rule->id).reason, HasSubstr("mirror0")) << rule->id;
      }
  }
}

TEST(Captured, ALossIsThatOfOneCase) {
  Mirror mirror;
  mirror.lost = {5};
  const auto outcome = run_captured({.cases = {"rdmap/responder-answers-*"}}, mirror);
  std::size_t partial = 0;
  for (const FlowResult& one : outcome.results.flows) partial += one.state == FlowState::partial ? 1 : 0;
  EXPECT_EQ(partial, 1u);
  EXPECT_GT(outcome.results.flows.size(), 1u);
}

TEST(Captured, AConnectionThatMustNotEndIsLeftAsItIs) {
  for (const bool may_end : {true, false}) {
    Mirror mirror;
    mirror.may_end = may_end;
    const auto outcome = run_captured(kFramesEveryLength, mirror);
    EXPECT_EQ(outcome.results.cases.at(0).verdict, Verdict::pass) << outcome.results.cases.at(0).reason;
    EXPECT_EQ(outcome.results.flows.at(0).state, FlowState::judged);
    EXPECT_EQ(mirror.fins, may_end ? 1u : 0u);
  }
}

// --- both accounts

TEST(Captured, AFindingOnTheWireSaysWhatTheConsumerWasAt) {
  Mirror mirror;
  const auto outcome = run_captured(
      {.deviations = {"ddp-reserved-set"}, .settings = {"verbs"}, .cases = {"verbs/responder/keeps-the-order-of-work"}},
      mirror);
  std::vector<std::string> explanations;
  for (const Finding& one : outcome.results.findings)
    if (one.rule->observable == Observable::trace) explanations.push_back(one.explanation);
  EXPECT_THAT(explanations, Not(IsEmpty()));
  EXPECT_THAT(explanations, Each(HasSubstr("at the consumer, latest: ")));
  EXPECT_THAT(explanations, testing::Contains(HasSubstr("ibv_post_send wr_id 6, IBV_WR_SEND")));
}

// --- a network interface

TEST(CaptureFilter, IsOfWhereTheIutOrTheTesterIs) {
  EXPECT_EQ(capture_filter("iut=192.0.2.7:7175"), "host 192.0.2.7 and tcp port 7175");
  EXPECT_EQ(capture_filter("tester=[2001:db8::1]:80"), "host 2001:db8::1 and tcp port 80");
  EXPECT_TRUE(is_unspecified("tester=0.0.0.0:7175"));
  EXPECT_TRUE(is_unspecified("tester=[::]:7175"));
  EXPECT_FALSE(is_unspecified("iut=127.0.0.1:7175"));
}

TEST(CaptureOn, AnInterfaceThatIsNotThereIsOneLine) {
  const auto none = capture_on("no-such-if0", "tcp");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error(), testing::StartsWith("no-such-if0: "));
  EXPECT_THAT(none.error(), Not(HasSubstr("\n")));
}

TEST(CaptureOn, TheLoopbackInterfaceShowsWhatPassesThere) {
  if (const std::string why = enter_own_network(); !why.empty()) GTEST_SKIP() << why;
  auto service = TcpService::listen("127.0.0.1", 0).value();
  const std::string note = "iut=" + pcap::to_string(service.local());
  auto frames = capture_on("lo", capture_filter(note));
  if (!frames) GTEST_SKIP() << frames.error();
  WireCapture capture(std::move(*frames), kPatience);
  const auto peer =
      find_reference_peer("rdmap")->maker({.role = Role::responder, .deviations = {"response-to-wrong"}}).value()(1);
  // It ends with the case's last connection.
  std::thread thread([&] { EXPECT_TRUE(service.run(*peer, {.idle = std::chrono::seconds{1}})); });
  expect_the_same_offline(note, [&](Recording& recording) {
    const auto iut = make_listening_iut({.scheme = "tcp", .place = pcap::to_string(service.local())}).value();
    RunOutcome outcome = run(*iut, {.cases = {"rdmap/responder-answers-reads", "ddp/responder-sends-what-is-long*"}},
                             &recording, &capture);
    for (const FlowResult& one : outcome.results.flows) EXPECT_EQ(one.state, FlowState::judged) << one.note;
    EXPECT_THAT(outcome.results.findings, Not(IsEmpty()));
    EXPECT_GT(outcome.results.findings.at(0).frame, 0u);
    return outcome;
  });
  thread.join();
}

}  // namespace
}  // namespace wirelaw
