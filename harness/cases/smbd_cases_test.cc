// SPDX-License-Identifier: Apache-2.0
// The cases of SMB Direct against the reference peers over RDMAP in memory: the honest one passes each, and each
// deliberate fault is reported by exactly the rules that it breaks (Breach).
#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "conformance/smbd/cases.h"
#include "conformance/smbd/smbd.h"
#include "harness/cases/breach_walk.h"
#include "harness/memory_run.h"
#include "harness/peers/reference_peers.h"
#include "harness/recording.h"

namespace wirelaw::smbd {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSubsetOf;
using testing::Not;
using testing::UnorderedElementsAre;

// Hundreds of thousands of messages, which take long in small pieces and for each fault. Each rule of this case has
// other cases.
const LeftOut kLong{"data/*-takes-131072-segments-of-one-octet", "is long, and run by itself"};

// Prefix of cases for an initiator that speaks SMB2; they run with such an initiator.
constexpr std::string_view kOfSmb2 = "smb2/";
bool is_of_smb2(std::string_view id) {
  return id.starts_with(kOfSmb2);
}

std::vector<std::string> not_passed_but_smb2(const RunOutcome& outcome) {
  std::vector<std::string> lines = not_passed(outcome);
  std::erase_if(lines, [](const std::string& line) { return is_of_smb2(line); });
  return lines;
}

RunOutcome run(Role iut, const MemoryRun& memory, const Selection& selection = {.cases = {"*"}},
               Service declared = Service::echo, const std::vector<LeftOut>& left_out = {}) {
  const RunOptions options{.iut = iut,
                           .selection = selection,
                           .left_out = left_out,
                           .application = declared,
                           .limits = {.deadline = std::chrono::minutes{10}}};
  return run_in_memory(kProtocol, options, memory).value();
}

const BreachWalk& walk() {
  static const BreachWalk kWalk(find_reference_peer("smbd")->deviations(), breaches());
  return kWalk;
}

// Faults of every theme that cases alone show, or messages of several segments.
constexpr std::string_view kFoundThroughSmb2[] = {
    "remaining-one-too-many", "fragments-swapped",     "data-altered",    "segment-above-receive-size",
    "accepts-early-end",      "accepts-data-beyond",   "refuses-padding", "delivers-fragments",
    "grants-nothing",         "spends-without-credit", "no-empty-grant",  "ignores-bad-messages",
};

class HonestPeer : public testing::TestWithParam<Role> {};
INSTANTIATE_TEST_SUITE_P(Roles, HonestPeer, testing::Values(Role::responder, Role::initiator),
                         [](const auto& role) { return role.param == Role::responder ? "Listener" : "Initiator"; });

TEST_P(HonestPeer, PassesEveryCaseWithoutAFinding) {
  const RunOutcome outcome = run(GetParam(), {});
  EXPECT_THAT(outcome.results.cases, Not(IsEmpty()));
  EXPECT_THAT(not_passed_but_smb2(outcome), IsEmpty());
  EXPECT_THAT(findings(outcome), IsEmpty());
}

TEST_P(HonestPeer, WithTheLeastResourcesIsNotBlamed) {
  for (const char* setting : {"one-credit", "small"}) {
    const RunOutcome outcome = run(GetParam(), {.settings = {setting}}, {.cases = {"*"}}, Service::echo, {kLong});
    EXPECT_THAT(findings(outcome), IsEmpty()) << setting;
    for (const CaseResult& one : outcome.results.cases)
      EXPECT_NE(one.verdict, Verdict::fail) << setting << ": " << one.id << ": " << one.reason;
  }
}

// ------------------------------------------------------------- peers that follow another reading, or have other limits

// Cases that such a peer cannot pass, because of a feature that it lacks or that the case withholds; they are skipped
// or inconclusive. With one to three credits, none is left to request more while nothing is granted. A peer that grants
// for each message has spent its credits when it has to answer.
struct OtherPeer {
  std::string_view setting;
  std::vector<std::string_view> open = {};
  std::string_view warned = {};  // a rule
};
constexpr std::string_view kManyAreWanted[] = {"credits/listener-grants-more-when-more-are-wanted",
                                               "credits/initiator-grants-more-when-more-are-wanted"};
constexpr std::string_view kInOrder = "credits/listener-answers-in-order";
constexpr std::string_view kCannotSend = "end/listener-ends-where-its-messages-cannot-be-sent";
constexpr std::string_view kAtTarget = "credits/listener-grants-nothing-at-the-target";
const OtherPeer kOtherPeers[] = {
    {"windows-like", {"negotiate/listener-takes-the-largest-sizes"}},
    {"frugal-1",
     {kManyAreWanted[0], kManyAreWanted[1], kInOrder, kCannotSend, kAtTarget,
      "credits/listener-is-silent-without-credits", "application/listener-permits-what-was-asked-for"}},
    {"frugal-2", {kManyAreWanted[0], kManyAreWanted[1], kInOrder, kCannotSend}},
    {"frugal-3", {kInOrder, kCannotSend}},
    {"frugal-4", {kCannotSend}},
    {"keeps-last-credit", {}, "SMBD-3.1.5.9-6"},
    {"prompt-grants", {"data/listener-sends-in-order", kAtTarget}},
};

TEST_P(HonestPeer, OfAnotherReadingIsNotBlamed) {
  for (const OtherPeer& peer : kOtherPeers) {
    const RunOutcome outcome =
        run(GetParam(), {.settings = {std::string(peer.setting)}}, {.cases = {"*"}}, Service::echo, {kLong});
    for (const Finding& one : outcome.results.findings)
      EXPECT_TRUE(one.severity == Severity::warning && one.rule->id == peer.warned)
          << peer.setting << ": " << to_text(one);
    for (const CaseResult& one : outcome.results.cases) {
      if (is_of_smb2(one.id) || one.reason == kLong.reason) continue;
      EXPECT_THAT(one.verdict, std::ranges::count(peer.open, one.id) > 0
                                   ? AnyOf(Verdict::skipped, Verdict::inconclusive)
                                   : AnyOf(Verdict::pass, Verdict::pass))
          << peer.setting << ": " << one.id << ": " << one.reason;
    }
    EXPECT_EQ(!peer.warned.empty(), !outcome.results.findings.empty()) << peer.setting;
  }
}

// 131,072 messages, each answered with a grant.
TEST(HonestListener, ThatGrantsForEachMessageDoesNotFlood) {
  const RunOutcome outcome = run(Role::responder, {.settings = {"prompt-grants"}},
                                 {.cases = {"data/listener-takes-131072-segments-of-one-octet"}});
  EXPECT_THAT(not_passed(outcome), IsEmpty());
  EXPECT_THAT(findings(outcome), IsEmpty());
}

// It is no fault (SMBD/A24).
TEST(HonestListener, MayRefuseLargeSizes) {
  const RunOutcome outcome =
      run(Role::responder, {.settings = {"windows-like"}}, {.cases = {"negotiate/listener-takes-the-largest-sizes"}});
  ASSERT_EQ(outcome.results.cases.size(), 1u);
  EXPECT_EQ(outcome.results.cases.front().verdict, Verdict::skipped);
  EXPECT_THAT(outcome.results.cases.front().reason, HasSubstr("Status 0xc000009a"));
}

TEST(HonestListener, WhoseApplicationIsUnknownIsNotBlamed) {
  const RunOutcome outcome = run(Role::responder, {.application = Service::none}, {.cases = {"*"}}, Service::none);
  EXPECT_THAT(findings(outcome), IsEmpty());
  EXPECT_GT(std::ranges::count(outcome.results.cases, Verdict::pass, &CaseResult::verdict), 20);
}

// ------------------------------------------------------------------------------- a listener whose application is SMB2

RunOutcome run_smb2(const MemoryRun& memory, const Selection& selection = {.cases = {"*"}}) {
  return run(Role::responder, memory, selection, Service::smb2, {kLong});
}

// All cases but those that name the length of a message, or the order of the answers.
TEST(Smb2Listener, PassesAllButTheCasesThatNeedAnEcho) {
  const RunOutcome outcome = run_smb2({});
  std::set<std::string> skipped;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict != Verdict::pass) {
      EXPECT_EQ(one.verdict, Verdict::skipped) << one.id << ": " << one.reason;
      EXPECT_THAT(one.reason,
                  AnyOf(HasSubstr("needs --application echo"), HasSubstr(": the parameter message"), kLong.reason))
          << one.id;
      skipped.insert(one.id);
    }
  EXPECT_THAT(findings(outcome), IsEmpty());
  EXPECT_THAT(skipped, UnorderedElementsAre(
                           "data/listener-passes-messages-on", "data/listener-takes-messages-of-its-fragmented-size",
                           "data/listener-takes-131072-segments-of-one-octet", "data/listener-sends-one-full-segment",
                           "data/listener-sends-a-message-of-our-receive-size",
                           "data/listener-sends-one-octet-more-than-a-segment", "data/listener-sends-nothing-too-long",
                           "credits/listener-answers-in-order"));
  EXPECT_GT(outcome.results.cases.size(), 100u);
}

TEST(Smb2Listener, WithTheLeastResourcesIsNotBlamed) {
  for (const char* setting : {"one-credit", "small"}) {
    const RunOutcome outcome = run_smb2({.settings = {setting}});
    EXPECT_THAT(findings(outcome), IsEmpty()) << setting;
    for (const CaseResult& one : outcome.results.cases)
      EXPECT_NE(one.verdict, Verdict::fail) << setting << ": " << one.id << ": " << one.reason;
  }
}

// The listener gets no longer messages than the user has declared.
TEST(Smb2Listener, IsSentNothingLongerThanItTakes) {
  const RunOptions options{.selection = {.cases = {"*"}},
                           .left_out = {kLong},
                           .application = Service::smb2,
                           .parameters = {{"message", "1000"}},
                           .limits = {.deadline = std::chrono::minutes{10}}};
  const RunOutcome outcome = run_in_memory(kProtocol, options, {}).value();
  EXPECT_THAT(findings(outcome), IsEmpty());
  EXPECT_GT(std::ranges::count_if(outcome.results.cases,
                                  [](const CaseResult& one) {
                                    return one.reason.find("accepts messages of at most 1000 octets") !=
                                           std::string::npos;
                                  }),
            0);
}

// An application that is declared as one that it is not: nothing is found of SMB Direct.
TEST(Smb2Listener, ThatIsNoneIsNotBlamed) {
  const RunOutcome outcome = run_smb2({.application = Service::echo}, {.cases = {"data/*", "idle/*"}});
  for (const CaseResult& one : outcome.results.cases)
    EXPECT_THAT(one.verdict, AnyOf(Verdict::inconclusive, Verdict::skipped, Verdict::pass)) << one.id;
  EXPECT_THAT(findings(outcome), IsEmpty());
}

// ------------------------------------------------------------------------------ an initiator whose application is SMB2

RunOutcome run_smb2_initiator(const MemoryRun& memory, const Selection& selection = {.cases = {"*"}}) {
  return run(Role::initiator, memory, selection, Service::smb2, {kLong});
}

// An SMB2 client chooses its own requests: cases that need a message of a given length, or an echo of their octets, are
// left out, or get no answer.
TEST(Smb2Initiator, PassesWhatAClientOfFilesCanShow) {
  const RunOutcome outcome = run_smb2_initiator({});
  EXPECT_THAT(findings(outcome), IsEmpty());
  std::size_t passed = 0;
  for (const CaseResult& one : outcome.results.cases) {
    EXPECT_NE(one.verdict, Verdict::fail) << one.id << ": " << one.reason;
    passed += one.verdict == Verdict::pass ? 1 : 0;
    if (is_of_smb2(one.id)) {
      EXPECT_EQ(one.verdict, Verdict::pass) << one.id << ": " << one.reason;
    }
    if (one.verdict == Verdict::inconclusive) {
      EXPECT_THAT(one.reason, HasSubstr("has sent no request whose answer has")) << one.id;
    }
    if (one.verdict == Verdict::skipped) {
      EXPECT_THAT(one.reason,
                  AnyOf(HasSubstr("needs --application echo"), HasSubstr("as the trigger requests"), kLong.reason))
          << one.id;
    }
  }
  EXPECT_GT(passed, 140u) << "of " << outcome.results.cases.size();
}

// Leaves out rules that only an echo shows: a server cannot foresee the octets of its client.
TEST(Smb2Initiator, WithAFaultIsReportedByRulesThatItBreaks) {
  const std::vector<DeviationOfRole> faults = walk().faults();
  for (const std::string_view name : kFoundThroughSmb2) {
    if (name == "data-altered") continue;
    const auto fault = std::ranges::find_if(
        faults, [&](const DeviationOfRole& one) { return one.name == name && one.iut == Role::initiator; });
    ASSERT_NE(fault, faults.end()) << name;
    const std::set<std::string> reports = reports_of(run_smb2_initiator({.deviations = {std::string(name)}}));
    EXPECT_THAT(reports, Not(IsEmpty())) << name;
    EXPECT_THAT(reports, IsSubsetOf(walk().reports_expected(*fault))) << name;
  }
}

// Do not wait for what cannot be found out.
TEST(Parameters, ThatNobodyHasSaidLeaveCasesOut) {
  for (const Role iut : {Role::responder, Role::initiator}) {
    const RunOptions options{.iut = iut,
                             .selection = {.cases = {"idle/*"}},
                             .application = Service::echo,
                             .parameters = {{"keepalive", "soon"}, {"negotiation", "0"}},
                             .limits = {.deadline = std::chrono::minutes{10}}};
    std::set<std::string> skipped;
    const RunOutcome outcome = run_in_memory(kProtocol, options, {}).value();
    for (const CaseResult& one : outcome.results.cases)
      if (one.verdict == Verdict::skipped) skipped.insert(std::string(one.reason));
    EXPECT_TRUE(skipped.contains("needs the parameter keepalive, in seconds"));
    EXPECT_EQ(skipped.contains("needs the parameter negotiation, in seconds"), iut == Role::initiator);
  }
}

struct KeptFrames final : FrameSink {
  void write(const RecordedFrame& frame) override { frames.push_back(frame); }
  std::vector<RecordedFrame> frames;
};

// Returns the time from a listener's first octets, its MPA Reply, to the next octets that it gets.
std::int64_t time_before_the_request(const IutParameters& parameters) {
  const RunOptions options{.selection = {.cases = {"data/listener-takes-an-empty-message"}},
                           .application = Service::echo,
                           .parameters = parameters,
                           .limits = {.deadline = std::chrono::minutes{10}}};
  KeptFrames sink;
  Recording recording(sink);
  const RunOutcome outcome = run_in_memory(kProtocol, options, {}, &recording).value();
  EXPECT_THAT(not_passed_but_smb2(outcome), IsEmpty());
  const auto carries = [](const RecordedFrame& frame) { return !frame.octets.empty(); };
  const auto reply = std::ranges::find_if(sink.frames, [&](const auto& one) { return carries(one) && one.from_iut; });
  const auto request =
      std::find_if(reply, sink.frames.end(), [&](const auto& one) { return carries(one) && !one.from_iut; });
  if (request == sink.frames.end()) return -1;
  return request->time_ns - reply->time_ns;
}

TEST(Parameters, GiveAListenerTheTimeThatItNeedsBehindItsReply) {
  constexpr std::int64_t kMillisecond = 1'000'000;
  EXPECT_LT(time_before_the_request({}), 100 * kMillisecond);
  EXPECT_GE(time_before_the_request({{"settle", "120"}}), 120 * kMillisecond);
}

// The pieces of the stream do not matter.
TEST_P(HonestPeer, PassesOverAnyCutOfTheStream) {
  const RunOutcome outcome = run(GetParam(), {.network_faults = {.cut = 61}}, {.cases = {"*"}}, Service::echo, {kLong});
  EXPECT_THAT(not_passed_but_smb2(outcome), ElementsAre(HasSubstr(kLong.reason)));
  EXPECT_THAT(findings(outcome), IsEmpty());
}

// ------------------------------------------------------------------------------------------- what a fault is found by

// Deviations that no rule reports over RDMAP, and why.
struct OutOfReach {
  std::string_view deviation;
  std::string_view reason;
};
constexpr OutOfReach kOutOfReach[] = {
    {"accepts-long-message", "a message that is longer than its receive does not reach the endpoint: DDP refuses it"},
};
bool is_out_of_reach(const DeviationOfRole& fault) {
  return std::ranges::count(kOutOfReach, fault.name, &OutOfReach::deviation) > 0;
}

class EachFault : public testing::TestWithParam<DeviationOfRole> {};
INSTANTIATE_TEST_SUITE_P(Peers, EachFault, testing::ValuesIn(walked(walk().faults())),
                         [](const auto& fault) { return test_name(fault.param); });

TEST_P(EachFault, IsReportedByTheRulesThatItBreaksAndNoOther) {
  const DeviationOfRole& fault = GetParam();
  const RunOutcome outcome =
      run(fault.iut, {.deviations = {std::string(fault.name)}}, {.cases = {"*"}}, Service::echo, {kLong});
  const std::set<std::string> reports = reports_of(outcome);
  const std::set<std::string> expected = walk().reports_expected(fault);
  EXPECT_THAT(without(reports, expected), IsEmpty()) << "has no row";
  EXPECT_THAT(without(expected, reports), IsEmpty()) << "is not reported";
  EXPECT_EQ(reports.empty(), is_out_of_reach(fault)) << "what no rule reports has its reason in kOutOfReach";
}

// Not every rule reports it: a fault that spoils the first messages to the application leaves a case inconclusive.
TEST(Smb2Listener, WithAFaultIsReportedByRulesThatItBreaks) {
  const std::vector<DeviationOfRole> faults = walk().faults();
  for (const std::string_view name : kFoundThroughSmb2) {
    const auto fault = std::ranges::find_if(
        faults, [&](const DeviationOfRole& one) { return one.name == name && one.iut == Role::responder; });
    ASSERT_NE(fault, faults.end()) << name;
    const std::set<std::string> reports = reports_of(run_smb2({.deviations = {std::string(name)}}));
    EXPECT_THAT(reports, Not(IsEmpty())) << name;
    EXPECT_THAT(reports, IsSubsetOf(walk().reports_expected(*fault))) << name;
  }
}

constexpr std::string_view kLeavesNothing = "no deviation holds on to what an orderly beginning has left";
constexpr NeverFails kNeverFail[] = {
    {"negotiate/listener-serves-two-connections", "no deviation mixes connections up"},
    {"end/listener-survives-a-reset-between-messages", kLeavesNothing},
    {"end/initiator-survives-a-reset-between-messages", kLeavesNothing},
};

class EachCase : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Suite, EachCase, testing::ValuesIn(walked_cases(suite().cases())),
                         [](const auto& one) { return test_name(one.param.id); });

RunOutcome run_with(const Case& one, const Breach& breach) {
  return run(one.iut, {.deviations = {std::string(walk().name_of(breach))}}, {.cases = {std::string(one.id)}},
             is_of_smb2(one.id) ? Service::smb2 : Service::echo);
}

TEST_P(EachCase, FailsForABreachOfItsRules) {
  EXPECT_NE(reports_some(walk(), GetParam(), run_with), is_listed(kNeverFail, GetParam()));
}

// Rules that no deviation breaks, and why none can, or need not.
struct Unbroken {
  std::string_view rule;
  std::string_view reason;
};
constexpr std::string_view kProviders = "is the provider's, which the reference's RDMAP never refuses";
constexpr std::string_view kPermission = "permits: nothing breaks it";
constexpr Unbroken kUnbroken[] = {
    {"SMBD-2.2.1-9", "DDP refuses what is longer than its receive, so that a deviation breaks all else too: by trace"},
    {"SMBD-2.2.2-14", "DDP refuses what is longer than its receive, so that a deviation breaks all else too: by trace"},
    {"SMBD-2.2.2-2", "a response before the request leaves nothing of a negotiation to be tried: by trace"},
    {"SMBD-3.1.5.3-9", "a message after a failure finds no connection, because the tester closes: by trace"},
    {"SMBD-3.1.5.6-19", "cases wait for less than the 5 seconds, after which their own rules have it: by trace"},
    {"SMBD-3.1.4.1-3", kProviders},
    {"SMBD-3.1.4.1-18", kProviders},
    {"SMBD-3.1.7.2-5", "a connection that is not accepted leaves nothing to judge (SMBD/A46)"},
    {"SMBD-3.1.4.3-3", "RDMAP refuses the tokens of other connections: its rules judge that"},
    {"SMBD-3.1.4.3-4", kPermission},
    {"SMBD-3.1.5.1-15", kPermission},
    {"SMBD-3.1.4.4-3", "nothing of the peer is under way in the reference's RDMAP once a call returns"},
    {"SMBD-3.1.5.2-9", kProviders},
    {"SMBD-3.1.5.3-18", kProviders},
    {"SMBD-3.1.5.7-20", kProviders},
    {"SMBD-3.1.5.7-21", kProviders},
    {"SMBD-3.1.5.9-7", kProviders},
    {"SMBD-3.1.7.2-4", kProviders},
    {"SMBD-3.1.7.2-8", kProviders},
};

TEST(EachRule, IsBrokenByADeviationOrHasAReason) {
  for (const Rule* const rule : kProtocol.catalogue().rules()) {
    if (rule->observable == Observable::none) continue;
    const bool broken = std::ranges::any_of(walk().breaches(), [&](const Breach& one) { return one.rule == rule; });
    const bool listed = std::ranges::count(kUnbroken, rule->id, &Unbroken::rule) > 0;
    EXPECT_NE(broken, listed) << rule->id << (broken ? " is broken, and listed" : " is neither broken nor listed");
  }
  for (const Unbroken& one : kUnbroken) EXPECT_FALSE(one.reason.empty()) << one.rule;
}

// The page names cases that there are, in the column of their role: 42 rows.
TEST(Floor, HasALikeForEachCaseOfThePublicSuite) {
  std::ifstream page(WIRELAW_SOURCE_DIR "/conformance/smbd/FLOOR.md");
  std::size_t rows = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| ") || line.find("/listener-") == std::string::npos) continue;
    ++rows;
    EXPECT_NE(line.find("/initiator-"), std::string::npos) << line;
    for (std::size_t begin = line.find('`'); begin != std::string::npos;) {
      const std::size_t end = line.find('`', begin + 1);
      ASSERT_NE(end, std::string::npos) << line;
      const std::string id = line.substr(begin + 1, end - begin - 1);
      EXPECT_EQ(std::ranges::count(suite().cases(), id, &Case::id), 1) << id;
      begin = line.find('`', end + 1);
    }
  }
  EXPECT_EQ(rows, 42u);
}

TEST(Breaches, CanAllHappen) {
  EXPECT_THAT(walk().impossible(), IsEmpty());
}

}  // namespace
}  // namespace wirelaw::smbd
