// SPDX-License-Identifier: Apache-2.0
// The runner's semantics, shown with a protocol of one octet a message: the IUT sends back what it was sent.
#include "harness/runner.h"

#include <gmock/gmock.h>

#include <array>
#include <atomic>
#include <csignal>

#include "harness/peers/fake_peer.h"
#include "harness/transports/local_resource_error.h"
#include "harness/transports/memory/memory_iut.h"

namespace wirelaw {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Octet kBadOctet = 0xbd;    // the observer calls it a violation
constexpr Octet kWrongOctet = 0xad;  // … a violation of a rule that no case lists

constinit const Rule kEchoed{"FAKE-1-1",           Level::must,      Role::responder, "1",
                             Observable::stimulus, Evidence::octets, "Echo."};
constinit const Rule kGoodOctets{"FAKE-1-2",        Level::must,      Role::any,      "1",
                                 Observable::trace, Evidence::octets, "No bad octet."};
constinit const Rule kUnlisted{"FAKE-2-1",        Level::must,      Role::any,        "2",
                               Observable::trace, Evidence::octets, "No wrong octet."};
constinit const Rule kClientOnly{"FAKE-2-2",        Level::must,      Role::initiator, "2",
                                 Observable::trace, Evidence::octets, "Nothing."};

class FakeObserver final : public Observer {
 public:
  void observe(const Message& message, Judge& judge) override {
    judge.at(message);
    const Octet octet = message.octets.empty() ? Octet{0} : message.octets[0];
    judge.require(kGoodOctets, octet != kBadOctet, octets(0, 1), expected("a good octet"), actual(hex(octet)));
    judge.require(kUnlisted, octet != kWrongOctet, octets(0, 1), expected("a right octet"), actual(hex(octet)));
  }
  void finish(Judge&) override {}
  std::string partial() const override { return {}; }
  std::size_t memory() const override { return 0; }
};

const Catalogue& catalogue() {
  static const std::array<const Rule*, 4> kRules{&kEchoed, &kGoodOctets, &kUnlisted, &kClientOnly};
  static const Catalogue kCatalogue{RuleList(kRules)};
  return kCatalogue;
}

// Sends one octet and waits for one.
std::optional<OctetBuffer> exchange(CaseRun& run, Octet octet) {
  auto transport = run.connect();
  if (!transport) return std::nullopt;
  if (auto sent = (*transport)->send(OctetBuffer{octet}); !sent) return std::nullopt;
  auto got = (*transport)->receive((*transport)->now() + run.answer_time());
  return got ? *got : std::nullopt;
}

const std::vector<Case> kCases{
    {.id = "echo/holds",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "One octet comes back.",
     .run = [](CaseRun& run) { run.require(kEchoed, exchange(run, 1).has_value(), "an echo", "silence"); }},
    {.id = "echo/fails",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "A requirement that does not hold.",
     .run =
         [](CaseRun& run) {
           exchange(run, 1);
           run.require(kEchoed, false, "something else", "an echo");
           run.inconclusive("too late to matter");
         }},
    {.id = "open/fails",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "A requirement that does not hold while the conversation is open.",
     .run =
         [](CaseRun& run) {
           auto transport = run.connect();
           if (!transport || !(*transport)->send(OctetBuffer{1})) return;
           static_cast<void>((*transport)->receive((*transport)->now() + run.answer_time()));
           run.require(kEchoed, false, "something else", "an echo");
         }},
    {.id = "silence/behind-a-request",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "One octet comes back, and should come back once more.",
     .run =
         [](CaseRun& run) {
           auto transport = run.connect();
           if (!transport) return;
           for (const Octet octet : {Octet{1}, Octet{2}}) static_cast<void>((*transport)->send(OctetBuffer{octet}));
           std::size_t echoes = 0;
           for (int i = 0; i < 3; ++i) {
             const auto got = (*transport)->receive((*transport)->now() + run.answer_time());
             echoes += got && *got ? 1 : 0;
           }
           run.require(kEchoed, echoes == 3, "three echoes", "two");
         }},
    {.id = "silence/behind-nothing",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "Nothing was sent.",
     .run =
         [](CaseRun& run) {
           auto transport = run.connect();
           if (!transport) return;
           const auto got = (*transport)->receive((*transport)->now() + run.answer_time());
           run.require(kEchoed, got && *got, "an echo", "silence");
         }},
    {.id = "echo/warns",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "A warning fails nothing.",
     .run =
         [](CaseRun& run) {
           exchange(run, 1);
           run.advise(kEchoed, false, "something else", "an echo");
         }},
    {.id = "observer/listed",
     .iut = Role::responder,
     .rules = {&kGoodOctets},
     .purpose = "The observer finds a breach of a listed rule.",
     .run = [](CaseRun& run) { exchange(run, kBadOctet); }},
    {.id = "observer/unlisted",
     .iut = Role::responder,
     .rules = {&kGoodOctets},
     .purpose = "The observer finds a breach of another rule.",
     .run = [](CaseRun& run) { exchange(run, kWrongOctet); }},
    {.id = "observer/unread",
     .iut = Role::responder,
     .rules = {&kGoodOctets},
     .purpose = "What the case does not read is judged all the same.",
     .run =
         [](CaseRun& run) {
           auto one = run.connect();
           auto two = run.connect();
           if (!one || !two) return;
           static_cast<void>((*one)->send(OctetBuffer{kBadOctet}));
           static_cast<void>((*two)->receive((*two)->now() + seconds{1}));
         }},
    {.id = "other/skips",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "Skips.",
     .run = [](CaseRun& run) { run.skip("not today"); }},
    {.id = "other/inconclusive",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "Cannot know.",
     .run = [](CaseRun& run) { run.inconclusive("cannot know"); }},
    {.id = "other/idle",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "Does nothing.",
     .run = [](CaseRun&) {}},
    {.id = "other/needs-count",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "Needs an application.",
     .needs = Service::count,
     .run = [](CaseRun& run) { run.require(kEchoed, true, "", ""); }},
    {.id = "dying/of-a-stimulus",
     .iut = Role::responder,
     .rules = {&kUnlisted, &kGoodOctets},
     .purpose = "Says whose stimulus it sends.",
     .run =
         [](CaseRun& run) {
           exchange(run, 1);
           run.stimulates(kGoodOctets);
           exchange(run, 1);
         }},
    {.id = "endless/waits",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "Waits for what never comes, and does not look at errors.",
     .run =
         [](CaseRun& run) {
           auto transport = run.connect();
           if (!transport) return;
           while (true) static_cast<void>((*transport)->receive((*transport)->now() + seconds{1}));
         }},
    {.id = "endless/circles",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "Polls without letting time pass.",
     .run =
         [](CaseRun& run) {
           auto transport = run.connect();
           while ((*transport)->receive((*transport)->now())) {
           }
         }},
    {.id = "client/two-octets",
     .iut = Role::initiator,
     .rules = {&kGoodOctets},
     .purpose = "A triggered IUT sends what it is asked for.",
     .run =
         [](CaseRun& run) {
           auto transport = run.connect();
           if (!transport || !run.trigger({.count = 2})) return;
           for (int i = 0; i < 2; ++i) {
             const auto got = (*transport)->receive((*transport)->now() + run.answer_time());
             if (!got || !*got) return run.skip("nothing came");
           }
         }},
};

const std::vector<Case>& all_cases() {
  return kCases;
}

const Protocol kFake{
    .name = "fake",
    .title = "Fake",
    .initiator = "client",
    .responder = "server",
    .transports = "udp",
    .catalogue = catalogue,
    .cases = [] { return std::span<const Case>(all_cases()); },
    .observer = [](const ObserverLimits&) -> std::unique_ptr<Observer> { return std::make_unique<FakeObserver>(); },
    .decode = [](Octets) { return Decoded{.summary = "one octet"}; },
    .datagrams = OnDatagrams{}};

std::unique_ptr<Iut> memory(const NetworkFaults& network_faults = {}) {
  return make_memory_iut([](std::uint64_t) { return std::make_unique<FakePeer>(); },
                         {.network_faults = network_faults});
}

RunOutcome run(std::vector<std::string> globs, Role role = Role::responder) {
  const auto iut = memory();
  return run_cases(kFake, *iut, {.iut = role, .selection = {.cases = std::move(globs)}});
}

CaseResult run_one(const std::string& id, Role role = Role::responder) {
  return run({id}, role).results.cases.at(0);
}

TEST(Runner, ACaseWhoseRequirementsHoldPasses) {
  const auto result = run_one("echo/holds");
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(result.reason, "");
  EXPECT_EQ(result.duration_ns, 20'000);  // there and back
}

TEST(Runner, ACaseFailsByItsOwnRequirementWhateverItSaysLater) {
  const auto outcome = run({"echo/fails"});
  EXPECT_EQ(outcome.results.cases.at(0).verdict, Verdict::fail);
  EXPECT_EQ(outcome.results.cases.at(0).reason, "FAKE-1-1: expected something else, got an echo");
  ASSERT_THAT(outcome.results.findings, SizeIs(1));
  const Finding& finding = outcome.results.findings[0];
  EXPECT_EQ(finding.flow, "udp 192.0.2.1:31201 - 192.0.2.2:21201");
  EXPECT_EQ(finding.sender, "192.0.2.2:21201");
  EXPECT_EQ(finding.message, 2u) << "from 1, as frames";
  EXPECT_FALSE(finding.unanswered);
  EXPECT_THAT(finding.octets, ElementsAre(1));
  EXPECT_EQ(finding.occasion.test_case, "echo/fails");
  EXPECT_TRUE(finding.shown_by_case);
}

TEST(Runner, WhatDoesNotComeIsMissedBehindWhatItShouldAnswer) {
  const auto outcome = run({"silence/behind-a-request"});
  ASSERT_THAT(outcome.results.findings, SizeIs(1));
  const Finding& finding = outcome.results.findings[0];
  EXPECT_EQ(finding.sender, "192.0.2.2:21201") << "the one to blame";
  EXPECT_TRUE(finding.unanswered);
  EXPECT_EQ(finding.message, 2u) << "the last that the tester has sent";
  EXPECT_THAT(finding.octets, IsEmpty());
}

TEST(Runner, WhoWasSentNothingLeavesNoMessageUnanswered) {
  const auto outcome = run({"echo/holds", "silence/behind-nothing"});
  ASSERT_THAT(outcome.results.findings, SizeIs(1)) << outcome.results.cases.back().reason;
  EXPECT_EQ(outcome.results.findings[0].message, 0u);
  EXPECT_FALSE(outcome.results.findings[0].unanswered);
}

TEST(Runner, WhatTheObserverFindsIsShownByTheTraceAndNamesItsCase) {
  const auto outcome = run({"observer/listed", "observer/unlisted"});
  ASSERT_THAT(outcome.results.findings, SizeIs(2));
  EXPECT_EQ(outcome.results.findings[0].occasion.test_case, "observer/listed");
  EXPECT_EQ(outcome.results.findings[1].occasion.test_case, "observer/unlisted");
  EXPECT_FALSE(outcome.results.findings[0].shown_by_case);
}

TEST(Runner, AnInterruptedRunReportsWhatItHasDone) {
  std::atomic<int> signal{0};
  const auto iut = memory();
  const RunOptions options{.selection = {.cases = {"echo/holds", "endless/waits", "observer/listed"}},
                           .limits = {.interrupted = &signal}};
  const RunOutcome outcome = run_cases(kFake, *iut, options, nullptr, {.begins = [&](const Case& next, auto, auto) {
                                         if (next.id == "endless/waits") signal = SIGTERM;
                                       }});
  EXPECT_EQ(outcome.interrupted, SIGTERM);
  EXPECT_FALSE(outcome.lost);
  const auto result_of = [&](std::string_view id) {
    return *std::ranges::find(outcome.results.cases, id, &CaseResult::id);
  };
  EXPECT_EQ(result_of("echo/holds").verdict, Verdict::pass);
  EXPECT_EQ(result_of("endless/waits").verdict, Verdict::inconclusive);
  EXPECT_EQ(result_of("endless/waits").reason, "interrupted by SIGTERM");
  const bool before = &*std::ranges::find(outcome.results.cases, "observer/listed", &CaseResult::id) <
                      &*std::ranges::find(outcome.results.cases, "endless/waits", &CaseResult::id);
  if (!before) {
    EXPECT_EQ(result_of("observer/listed").reason, "the run was interrupted by SIGTERM");
  }
}

// A requirement that fails after the signal is no fault of the peer.
TEST(Runner, AnInterruptedCaseBlamesNobody) {
  const std::atomic<int> signal{SIGINT};
  const auto iut = memory();
  const RunOutcome outcome =
      run_cases(kFake, *iut, {.selection = {.cases = {"silence/*"}}, .limits = {.interrupted = &signal}});
  for (const CaseResult& one : outcome.results.cases) EXPECT_EQ(one.verdict, Verdict::skipped) << one.id;
  EXPECT_THAT(outcome.results.findings, IsEmpty());
}

TEST(Runner, AWarningFailsNothing) {
  EXPECT_EQ(run_one("echo/warns").verdict, Verdict::pass);
}

TEST(Runner, ACaseFailsByWhatTheObserverFindsInItsRules) {
  const auto result = run_one("observer/listed");
  EXPECT_EQ(result.verdict, Verdict::fail);
  EXPECT_EQ(result.reason, "FAKE-1-2: expected a good octet, got 0xbd");
}

const std::vector<Case> kCasesOfSeveral{
    {.id = "several/fail",
     .iut = Role::responder,
     .rules = {&kEchoed, &kGoodOctets},
     .purpose = "Two of the case's rules fail.",
     .run =
         [](CaseRun& run) {
           exchange(run, kBadOctet);
           run.require(kEchoed, false, "something else", "an echo");
         }},
    {.id = "several/without-rules",
     .iut = Role::responder,
     .purpose = "Every finding decides.",
     .run =
         [](CaseRun& run) {
           for (const Octet octet : {kBadOctet, kWrongOctet, kBadOctet}) exchange(run, octet);
         },
     .pass_note = "nothing is expected"},
    {.id = "several/nothing-expected",
     .iut = Role::responder,
     .purpose = "No finding decides.",
     .run = [](CaseRun& run) { exchange(run, 1); },
     .pass_note = "nothing is expected"},
};

CaseResult run_of_several(const std::string& id) {
  Protocol fake = kFake;
  fake.cases = [] { return std::span<const Case>(kCasesOfSeveral); };
  const auto iut = memory();
  return run_cases(fake, *iut, {.iut = Role::responder, .selection = {.cases = {id}}}).results.cases.at(0);
}

TEST(Runner, ACaseNamesEachOfItsRulesThatFailed) {
  EXPECT_EQ(run_of_several("several/fail").reason, "FAKE-1-2: expected a good octet, got 0xbd (also failed: FAKE-1-1)");
  EXPECT_EQ(run_of_several("several/without-rules").reason,
            "FAKE-1-2: expected a good octet, got 0xbd (also failed: FAKE-2-1)");
}

TEST(Runner, APassThatRestsOnNoExpectationSaysSo) {
  const auto result = run_of_several("several/nothing-expected");
  EXPECT_EQ(result.verdict, Verdict::pass);
  EXPECT_EQ(result.reason, "nothing is expected");
  EXPECT_EQ(run_of_several("several/without-rules").verdict, Verdict::fail);
}

TEST(Runner, TheTestersOwnStimulusIsNotJudged) {
  EXPECT_EQ(run({"observer/listed"}).results.rules[1].failed, 1u);
}

TEST(Runner, AnotherRulesBreachIsReportedButDoesNotFailTheCase) {
  const auto outcome = run({"observer/unlisted"});
  EXPECT_EQ(outcome.results.cases.at(0).verdict, Verdict::pass);
  EXPECT_EQ(outcome.results.rules[2].verdict, Verdict::fail);
}

TEST(Runner, WhatACaseDoesNotReadIsJudgedWhenItEnds) {
  EXPECT_EQ(run_one("observer/unread").verdict, Verdict::fail);
}

// Sends an octet back at once, and so many bad ones after it, 100 milliseconds apart.
class TalkativePeer final : public FakePeer {
 public:
  explicit TalkativePeer(unsigned more) : more_(more) {
    period = milliseconds{100};
    says = kBadOctet;
  }
  void receive(PeerId from, Octets octets, Instant now) override {
    FakePeer::receive(from, octets, now);
    trigger(from, {.count = more_}, now);
  }

 private:
  unsigned more_;
};

std::uint64_t bad_octets_judged(unsigned sent) {
  const auto iut = make_memory_iut([&](std::uint64_t) { return std::make_unique<TalkativePeer>(sent); }, {});
  return run_cases(kFake, *iut, {.selection = {.cases = {"open/fails"}}}).results.rules[1].failed;
}

TEST(Runner, WhatComesUntilThePeerIsSilentBelongsToTheCaseThatFails) {
  EXPECT_EQ(bad_octets_judged(1), 1u);
  EXPECT_EQ(bad_octets_judged(7), 7u);
}

TEST(Runner, APeerThatIsNeverSilentDoesNotKeepAFailedCaseFromEnding) {
  const std::uint64_t judged = bad_octets_judged(1000);
  EXPECT_GT(judged, 7u);
  EXPECT_LT(judged, 1000u);
}

TEST(Runner, SkippedAndInconclusiveCasesSayWhy) {
  EXPECT_EQ(run_one("other/skips").verdict, Verdict::skipped);
  EXPECT_EQ(run_one("other/skips").reason, "not today");
  EXPECT_EQ(run_one("other/inconclusive").verdict, Verdict::inconclusive);
  EXPECT_EQ(run_one("other/inconclusive").reason, "cannot know");
}

TEST(Runner, ACaseThatExercisedNoneOfItsRulesIsInconclusive) {
  EXPECT_EQ(run_one("other/idle").verdict, Verdict::inconclusive);
  EXPECT_EQ(run_one("other/idle").reason, "exercised none of its rules");
}

TEST(Runner, ACaseThatNeedsMoreOfTheApplicationIsSkipped) {
  const auto result = run_one("other/needs-count");
  EXPECT_EQ(result.verdict, Verdict::skipped);
  EXPECT_THAT(result.reason, HasSubstr("needs --application count"));
}

TEST(Runner, ACaseThatIsLeftOutIsSkippedWithItsReason) {
  const auto iut = memory();
  const auto outcome = run_cases(
      kFake, *iut, {.selection = {.cases = {"other/skips", "other/idle"}}, .left_out = {{"other/id*", "it is idle"}}});
  ASSERT_EQ(outcome.results.cases.size(), 2u);
  for (const auto& one : outcome.results.cases) {
    EXPECT_EQ(one.verdict, Verdict::skipped);
    EXPECT_EQ(one.reason, one.id == "other/idle" ? "it is idle" : "not today");
  }
}

TEST(Runner, ACaseBeyondItsDeadlineIsEndedWithTheStateOfThePeer) {
  std::string dump;
  const auto iut = memory();
  const auto outcome =
      run_cases(kFake, *iut, {.selection = {.cases = {"endless/waits"}}, .limits = {.deadline = seconds{30}}}, nullptr,
                {.ended = [&](const CaseOutcome& ended) { dump = ended.dump; }});
  const auto& result = outcome.results.cases.at(0);
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_EQ(result.reason, "the case did not end within its deadline of 30 s");
  EXPECT_EQ(result.duration_ns, Instant(seconds{30}).count());
  EXPECT_THAT(dump, HasSubstr("fake peer, received 0"));
}

TEST(Runner, ACaseThatLetsNoTimePassIsEnded) {
  EXPECT_EQ(run_one("endless/circles").reason, "the case goes round in circles: no time passes");
}

TEST(Runner, AnInitiatorIsTriggered) {
  const auto outcome = run({}, Role::initiator);
  ASSERT_THAT(outcome.results.cases, SizeIs(1));
  EXPECT_EQ(outcome.results.cases[0].verdict, Verdict::pass);
  EXPECT_EQ(outcome.results.flows.at(0).id, "udp 192.0.2.2:21201 - 192.0.2.1:31201");
}

TEST(Runner, RulesOfTheOtherRoleAreNotApplicable) {
  const auto outcome = run({"echo/holds"});
  EXPECT_EQ(outcome.results.rules[3].verdict, Verdict::not_applicable);
  EXPECT_EQ(outcome.results.rules[3].reason, "binds the client, and the server was tested");
}

TEST(Selection, TakesCasesAndRulesByGlob) {
  EXPECT_THAT(select_cases(kFake, Role::responder, {.cases = {"echo/*"}}), SizeIs(3));
  EXPECT_THAT(select_cases(kFake, Role::responder, {.rules = {"FAKE-1-2"}}), SizeIs(4));
  EXPECT_THAT(select_cases(kFake, Role::responder, {.cases = {"echo/*", "other/*"}, .rules = {"FAKE-1-1"}}), SizeIs(7));
  EXPECT_THAT(select_cases(kFake, Role::responder, {.cases = {"client/*"}}), IsEmpty());
}

// An IUT whose conversations break as a table lists, one entry a case; false lets the case continue.
class MortalIut final : public Iut {
 public:
  explicit MortalIut(std::vector<bool> breaks) : breaks_(std::move(breaks)) {}

  std::string name() const override { return "mortal:"; }
  std::string capture_note() const override { return {}; }
  Framing framing() const override { return {.transport = "udp"}; }
  tl::expected<std::unique_ptr<Environment>, TransportError> begin(const Case& next) override {
    const bool breaks = begun_ < breaks_.size() ? breaks_[begun_] : false;
    ++begun_;
    if (!breaks) return memory_->begin(next);
    return tl::unexpected(TransportError{"nobody listens at 192.0.2.2:21201", "start it"});
  }
  void pause(std::chrono::nanoseconds) override { ++pauses; }

  unsigned pauses = 0;

 private:
  std::vector<bool> breaks_;
  std::size_t begun_ = 0;
  std::unique_ptr<Iut> memory_ = memory();
};

TEST(PeerDeath, APeerThatComesBackCostsNothing) {
  MortalIut iut({false, true, false});
  const auto outcome = run_cases(kFake, iut, {.selection = {.cases = {"echo/*"}}});
  EXPECT_FALSE(outcome.lost);
  EXPECT_EQ(iut.pauses, 1u);
  EXPECT_EQ(outcome.results.cases.at(1).verdict, Verdict::fail);  // by its own requirement
  EXPECT_EQ(outcome.results.cases.at(2).verdict, Verdict::pass);
}

TEST(PeerDeath, APeerThatStaysAwayEndsTheRun) {
  MortalIut iut({false, true, true, false});
  const auto outcome = run_cases(kFake, iut, {.selection = {.cases = {"echo/*"}}});
  ASSERT_TRUE(outcome.lost);
  EXPECT_EQ(outcome.results.cases.at(0).verdict, Verdict::pass);
  for (const int i : {1, 2}) {
    const CaseResult& skipped = outcome.results.cases.at(static_cast<std::size_t>(i));
    EXPECT_EQ(skipped.verdict, Verdict::skipped);
    EXPECT_EQ(skipped.reason, "the peer had answered before, and died: nobody listens at 192.0.2.2:21201");
  }
}

// An IUT that sends without end.
class FloodingEnvironment final : public Environment {
 public:
  tl::expected<Connected, TransportError> connect(const Route&) override {
    return Connected{std::make_unique<Flood>(now_)};
  }
  tl::expected<void, TransportError> trigger(const TriggerRequest&) override { return {}; }
  Instant now() const override { return now_; }
  std::int64_t epoch_ns() const override { return 0; }
  std::string peer_state() const override { return {}; }

 private:
  class Flood final : public Conversation {
   public:
    explicit Flood(Instant& now) : now_(now) {}
    tl::expected<void, TransportError> send(Octets) override { return {}; }
    tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant) override {
      now_ += milliseconds{1};
      return OctetBuffer(8192);
    }
    Instant now() const override { return now_; }
    std::string tester() const override { return "192.0.2.1:1"; }
    std::string iut() const override { return "192.0.2.2:2"; }

   private:
    Instant& now_;
  };

  Instant now_{};
};

// An IUT for which the tester has no file descriptor left, or that floods.
class StrangeIut final : public Iut {
 public:
  explicit StrangeIut(bool floods) : floods_(floods) {}
  std::string name() const override { return "strange:"; }
  std::string capture_note() const override { return {}; }
  Framing framing() const override { return {.transport = "udp"}; }
  tl::expected<std::unique_ptr<Environment>, TransportError> begin(const Case&) override {
    ++begun;
    if (floods_) return std::make_unique<FloodingEnvironment>();
    return tl::unexpected(TransportError{"cannot open a socket: Too many open files", kNoSocket});
  }
  void pause(std::chrono::nanoseconds) override {}

  unsigned begun = 0;

 private:
  bool floods_;
};

TEST(Runner, APeerThatFloodsIsReportedAsSuch) {
  StrangeIut iut(true);
  const auto outcome =
      run_cases(kFake, iut, {.selection = {.cases = {"endless/waits"}}, .limits = {.deadline = seconds{3600}}});
  const CaseResult& result = outcome.results.cases.at(0);
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.reason, testing::StartsWith("the peer floods: "));
}

TEST(Runner, WhatTheTesterLacksItselfIsNoFailureOfThePeer) {
  StrangeIut iut(false);
  const auto outcome = run_cases(kFake, iut, {.selection = {.cases = {"echo/*"}}});
  EXPECT_EQ(iut.begun, 1u) << "nothing comes of trying again";
  ASSERT_TRUE(outcome.lost);
  EXPECT_TRUE(is_local_resource_error(*outcome.lost));
  for (const CaseResult& one : outcome.results.cases) EXPECT_EQ(one.verdict, Verdict::skipped) << one.id;
  EXPECT_EQ(outcome.results.cases.back().reason, "Wirelaw itself: cannot open a socket: Too many open files");
}

// An IUT whose process dies in every case, with its last conversation.
class DyingEnvironment final : public Environment {
 public:
  DyingEnvironment(std::unique_ptr<Environment> inner, std::size_t conversations)
      : inner_(std::move(inner)), left_(conversations) {}
  tl::expected<Connected, TransportError> connect(const Route& route) override {
    left_ -= std::min<std::size_t>(left_, 1);
    return inner_->connect(route);
  }
  tl::expected<void, TransportError> trigger(const TriggerRequest& request) override {
    return inner_->trigger(request);
  }
  Instant now() const override { return inner_->now(); }
  std::int64_t epoch_ns() const override { return inner_->epoch_ns(); }
  std::string peer_state() const override { return inner_->peer_state(); }
  std::optional<Death> death(bool) override {
    if (left_ > 0) return std::nullopt;
    return Death{.how = "killed by signal 6 (Aborted)"};
  }

 private:
  std::unique_ptr<Environment> inner_;
  std::size_t left_;
};

class DyingIut final : public Iut {
 public:
  explicit DyingIut(std::size_t conversations) : conversations_(conversations) {}
  std::string name() const override { return "dying:"; }
  std::string capture_note() const override { return {}; }
  Framing framing() const override { return {.transport = "udp"}; }
  tl::expected<std::unique_ptr<Environment>, TransportError> begin(const Case& next) override {
    return std::make_unique<DyingEnvironment>(*memory_->begin(next), conversations_);
  }
  void pause(std::chrono::nanoseconds) override {}

 private:
  std::unique_ptr<Iut> memory_ = memory();
  std::size_t conversations_;
};

TEST(PeerDeath, OfAPeerThatIsStartedAnewIsToldOfItsCaseAndBlamesNoRule) {
  DyingIut iut(0);
  const auto outcome = run_cases(kFake, iut, {.selection = {.cases = {"echo/*", "other/skips"}}});
  EXPECT_FALSE(outcome.lost);
  EXPECT_EQ(outcome.deaths, outcome.results.cases.size());
  for (const CaseResult& one : outcome.results.cases) {
    EXPECT_EQ(one.verdict, Verdict::inconclusive) << one.id;
    EXPECT_EQ(one.reason, "the peer died: killed by signal 6 (Aborted)");
  }
  EXPECT_THAT(outcome.results.findings, testing::IsEmpty());
}

TEST(PeerDeath, OfAStimulusFailsItsRule) {
  DyingIut iut(2);
  const auto outcome = run_cases(kFake, iut, {.selection = {.cases = {"dying/*"}}});
  EXPECT_EQ(outcome.deaths, 1u);
  EXPECT_EQ(outcome.results.cases.at(0).verdict, Verdict::fail);
  EXPECT_EQ(outcome.results.cases.at(0).reason,
            "FAKE-1-2: expected a peer that lives on, got the peer died: killed by signal 6 (Aborted)");
  ASSERT_THAT(outcome.results.findings, SizeIs(1));
  EXPECT_EQ(outcome.results.findings[0].rule, &kGoodOctets);
}

TEST(PeerDeath, APeerThatNeverSaysAWordWasNotReached) {
  const auto iut = memory({.loss = 1});
  const auto outcome = run_cases(kFake, *iut, {.selection = {.cases = {"echo/holds"}}});
  ASSERT_TRUE(outcome.lost);
  EXPECT_THAT(outcome.lost->message, HasSubstr("the peer sent nothing in any of 1 cases"));
}

}  // namespace
}  // namespace wirelaw
