// SPDX-License-Identifier: Apache-2.0
// A conclusion from silence counts only if the control after the case passes. The IUT answers an octet with the next
// one, until a certain octet silences it for good.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>

#include "harness/peers/fake_peer.h"
#include "harness/recording.h"
#include "harness/runner.h"
#include "harness/transports/memory/memory_iut.h"

namespace wirelaw {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Octet kSilences = 0x51;
constexpr Octet kIsPassedOver = 0x52;  // alone

constinit const Rule kAnswered{"CTRL-1-1",           Level::must,      Role::responder, "1",
                               Observable::stimulus, Evidence::octets, "Answers."};
constinit const Rule kRefused{"CTRL-1-2",           Level::must,      Role::responder, "1",
                              Observable::stimulus, Evidence::octets, "Refuses."};

const Catalogue& catalogue() {
  static const std::array<const Rule*, 2> kRules{&kAnswered, &kRefused};
  static const Catalogue kCatalogue{RuleList(kRules)};
  return kCatalogue;
}

class NextOctetPeer final : public FakePeer {
 public:
  explicit NextOctetPeer(bool& silenced) : silenced_(silenced) {}
  void receive(PeerId from, Octets octets, Instant) override {
    silenced_ |= octets.front() == kSilences;
    if (!silenced_ && octets.front() != kIsPassedOver) out.push_back({from, {static_cast<Octet>(octets.front() + 1)}});
  }

 private:
  bool& silenced_;
};

class SilentObserver final : public Observer {
 public:
  void observe(const Message& message, Judge& judge) override { judge.at(message); }
  void finish(Judge&) override {}
  std::string partial() const override { return {}; }
  std::size_t memory() const override { return 0; }
};

bool is_answered(CaseRun& run, Transport& transport, Octet octet) {
  static_cast<void>(transport.send(OctetBuffer{octet}));
  const auto got = transport.receive(transport.now() + run.answer_time());
  return got && got->has_value();
}

// Sends the octets, and requires that the last is answered, or is not.
template <bool Answered>
auto sends(std::initializer_list<Octet> octets) {
  return [sent = std::vector<Octet>(octets)](CaseRun& run) {
    const auto transport = run.connect();
    bool answered = false;
    for (const Octet octet : sent) answered = is_answered(run, **transport, octet);
    run.require(Answered ? kAnswered : kRefused, answered == Answered, "what is right", "what is wrong");
  };
}

const std::vector<Case> kCases{
    {.id = "a/refuses",
     .iut = Role::responder,
     .rules = {&kRefused},
     .purpose = "Silence.",
     .run = sends<false>({kSilences})},
    {.id = "b/fails",
     .iut = Role::responder,
     .rules = {&kAnswered},
     .purpose = "No answer.",
     .run = sends<true>({kSilences})},
    {.id = "c/asks-nothing",
     .iut = Role::responder,
     .rules = {&kRefused},
     .purpose = "Nothing comes of nothing.",
     .run =
         [](CaseRun& run) {
           const auto transport = run.connect();
           const auto got = (*transport)->receive((*transport)->now() + run.silence_time());
           run.require(kRefused, got && !*got, "silence", "something");
         }},
    {.id = "d/silence-and-an-answer",
     .iut = Role::responder,
     .rules = {&kRefused, &kAnswered},
     .purpose = "An answer after a silence.",
     .run =
         [](CaseRun& run) {
           const auto transport = run.connect();
           run.require(kRefused, !(*transport)->receive((*transport)->now())->has_value(), "silence", "something");
           run.require(kAnswered, is_answered(run, **transport, 1), "an answer", "silence");
         }},
    {.id = "z/honest", .iut = Role::responder, .rules = {&kAnswered}, .purpose = "An answer.", .run = sends<true>({1})},
};

// Sends ten messages that request an answer; the third to the fifth begin with `octet`.
template <Octet octet>
std::span<const Case> ten() {
  static constexpr std::string_view kIds[] = {"y/0", "y/1", "y/2", "y/3", "y/4", "y/5", "y/6", "y/7", "y/8", "y/9"};
  static const std::vector<Case> kTen = [] {
    std::vector<Case> all;
    for (std::size_t i = 0; i < std::size(kIds); ++i)
      all.push_back({.id = kIds[i],
                     .iut = Role::responder,
                     .rules = {&kAnswered},
                     .purpose = "An answer.",
                     .run = i < 2 || i > 4 ? sends<true>({1}) : sends<true>({octet})});
    all.push_back(kCases.back());
    return all;
  }();
  return kTen;
}

constexpr std::string_view kControls[] = {"z/honest"};

Protocol controlled(std::span<const Case> (*cases)()) {
  return {
      .name = "controlled",
      .title = "Controlled",
      .initiator = "client",
      .responder = "server",
      .transports = "udp",
      .catalogue = catalogue,
      .cases = cases,
      .observer = [](const ObserverLimits&) -> std::unique_ptr<Observer> { return std::make_unique<SilentObserver>(); },
      .decode = [](Octets) { return Decoded{.summary = "one octet"}; },
      .datagrams = OnDatagrams{},
      .controls = kControls};
}
const Protocol kControlled = controlled([] { return std::span<const Case>(kCases); });

struct Kept final : FrameSink {
  void write(const RecordedFrame& frame) override {
    comments.insert(comments.end(), frame.comments.begin(), frame.comments.end());
  }
  std::vector<std::string> comments;
};

struct Controlled {
  RunOutcome outcome;
  std::vector<std::string> comments;

  const CaseResult& result(std::size_t at = 0) const { return outcome.results.cases.at(at); }
  Verdict verdict(const Rule& rule) const {
    return std::ranges::find(outcome.results.rules, &rule, &RuleResult::rule)->verdict;
  }
};

Controlled run(std::vector<std::string> globs, RunOptions options = {}, bool silenced = false,
               const Protocol& protocol = kControlled) {
  const auto iut = make_memory_iut([&](std::uint64_t) { return std::make_unique<NextOctetPeer>(silenced); }, {});
  Kept kept;
  Recording recording(kept);
  options.selection.cases = std::move(globs);
  auto outcome = run_cases(protocol, *iut, options, &recording);
  recording.flush();
  return {std::move(outcome), std::move(kept.comments)};
}

TEST(Control, SilenceOfAPeerThatServesTheControlIsAPass) {
  const auto done = run({"c/*"});
  EXPECT_EQ(done.result().verdict, Verdict::pass) << done.result().reason;
  EXPECT_EQ(done.verdict(kRefused), Verdict::pass);
  EXPECT_THAT(done.comments, Contains("control after case c/asks-nothing: z/honest"));
}

TEST(Control, SilenceOfAPeerThatServesNothingAnyMoreIsInconclusiveAndItsRuleNotExercised) {
  const auto done = run({"a/*"}, {.stops_early = true});
  EXPECT_EQ(done.result().verdict, Verdict::inconclusive);
  EXPECT_EQ(done.result().reason, "its control z/honest failed: expected what is right, got what is wrong");
  EXPECT_EQ(done.verdict(kRefused), Verdict::not_exercised);
}

TEST(Control, AFailureSaysThatThePeerServesTheControlNoMore) {
  const auto done = run({"b/*"}, {.stops_early = true});
  EXPECT_EQ(done.result().verdict, Verdict::fail);
  EXPECT_THAT(done.result().reason, HasSubstr("; and the peer does not serve z/honest: "));
}

TEST(Control, OfAPeerThatHasNeverSpokenNothingIsConcluded) {
  const auto done = run({"a/*", "b/*"});
  for (const CaseResult& one : done.outcome.results.cases) EXPECT_EQ(one.verdict, Verdict::inconclusive) << one.reason;
  EXPECT_THAT(done.outcome.results.findings, IsEmpty());
}

TEST(Control, AnAnswerBehindASilenceIsItsOwnControl) {
  const auto done = run({"d/*"});
  EXPECT_EQ(done.result().verdict, Verdict::pass);
  EXPECT_THAT(done.comments, testing::Not(Contains(HasSubstr("control"))));
}

TEST(Control, IsLeftOutWhereItIsNotWanted) {
  const auto done = run({"z/*", "c/*"}, {.controls = false});
  EXPECT_THAT(done.comments, testing::Not(Contains(HasSubstr("control"))));
}

TEST(Control, ComesBeforeTheFirstCaseAndEndsTheRunWhereItIsServedInVain) {
  EXPECT_THAT(run({"c/*"}, {.stops_early = true}).comments, Contains("control before the cases: z/honest"));
  const auto done = run({}, {.stops_early = true}, /*silenced=*/true);
  ASSERT_TRUE(done.outcome.lost);
  EXPECT_EQ(done.outcome.lost->message,
            "memory:: it is silent; --answer-time gives it longer to answer, in 3 attempts at an honest exchange, the "
            "last z/honest");
  for (const CaseResult& one : done.outcome.results.cases) EXPECT_EQ(one.verdict, Verdict::skipped);
}

// A rule that finds the same fault in every message of any case.
constinit const Rule kEverywhere{"CTRL-1-3",        Level::must,      Role::any,        "1",
                                 Observable::trace, Evidence::octets, "Is well formed."};

class PervasiveObserver final : public Observer {
 public:
  void observe(const Message& message, Judge& judge) override {
    judge.at(message);
    judge.require(kEverywhere, false, OctetRange{0, 1}, expected("a good octet"), actual("a bad one"));
  }
  void finish(Judge&) override {}
  std::string partial() const override { return {}; }
  std::size_t memory() const override { return 0; }
};

const Catalogue& pervasive_catalogue() {
  static const std::array<const Rule*, 3> kRules{&kAnswered, &kRefused, &kEverywhere};
  static const Catalogue kCatalogue{RuleList(kRules)};
  return kCatalogue;
}

// The IUT answers with that fault; then the case's own rule, or another, fails.
std::span<const Case> cases_after_an_answer() {
  const auto answered_then = [](const Rule& failed) {
    return [&failed](CaseRun& run) {
      const auto transport = run.connect();
      static_cast<void>(is_answered(run, **transport, 1));
      run.require(failed, false, "what is right", "what is wrong");
    };
  };
  static const std::vector<Case> kAll{
      {.id = "p/own",
       .iut = Role::responder,
       .rules = {&kRefused},
       .purpose = "Its own rule fails.",
       .run = answered_then(kRefused)},
      {.id = "p/other",
       .iut = Role::responder,
       .rules = {&kRefused},
       .purpose = "Another rule fails, which it requires.",
       .run = answered_then(kAnswered)},
      {.id = "p/everywhere",
       .iut = Role::responder,
       .rules = {&kEverywhere},
       .purpose = "It is about the fault that every message has.",
       .run = [](CaseRun& run) { static_cast<void>(is_answered(run, **run.connect(), 1)); }},
  };
  return kAll;
}

// A fault that every message has would hide the cause of every failure.
TEST(Control, AFailingCaseGivesTheReasonOfItsOwnRule) {
  Protocol protocol = controlled(cases_after_an_answer);
  protocol.catalogue = pervasive_catalogue;
  protocol.observer = [](const ObserverLimits&) -> std::unique_ptr<Observer> {
    return std::make_unique<PervasiveObserver>();
  };
  const Controlled done = run({"p/*"}, {.controls = false}, /*silenced=*/false, protocol);
  ASSERT_FALSE(done.outcome.results.findings.empty());
  EXPECT_EQ(done.outcome.results.findings.front().rule, &kEverywhere) << "it comes before what the case requires";
  EXPECT_EQ(done.result(0).reason, "CTRL-1-2: expected what is right, got what is wrong");
  EXPECT_EQ(done.result(1).reason, "CTRL-1-1: expected what is right, got what is wrong");
  EXPECT_EQ(done.result(2).reason, "CTRL-1-3: expected a good octet, got a bad one");
}

// No case was left to show it, but the run reports it.
TEST(Control, APeerThatServesNothingSinceOneOfTheLastCasesIsLost) {
  for (const char* last : {"a/*", "b/*"}) {
    const auto done = run({"c/*", last}, {.stops_early = true});
    ASSERT_TRUE(done.outcome.lost) << last;
    EXPECT_THAT(done.outcome.lost->message, HasSubstr("the peer served an honest exchange before case "));
    EXPECT_EQ(std::ranges::count(done.outcome.results.cases, Verdict::skipped, &CaseResult::verdict), 0);
  }
  EXPECT_FALSE(run({"c/*", "d/*"}, {.stops_early = true}).outcome.lost);
  EXPECT_FALSE(run({"a/*"}, {.is_known = true, .stops_early = true}).outcome.lost) << "a reference peer is not lost";
}

TEST(Control, EndsTheRunOfAPeerThatFallsSilentForGood) {
  const Controlled done = run({"y/*"}, {.stops_early = true}, /*silenced=*/false, controlled(ten<kSilences>));
  ASSERT_TRUE(done.outcome.lost);
  EXPECT_THAT(
      done.outcome.lost->message,
      HasSubstr("no octet has come of it in 3 cases, the last y/4, nor in the honest exchange after them (z/honest: "));
  ASSERT_EQ(done.outcome.results.cases.size(), 10u);
  for (std::size_t i = 0; i < 10; ++i)
    EXPECT_EQ(done.result(i).verdict, i < 2 ? Verdict::pass : i < 5 ? Verdict::fail : Verdict::skipped) << i;
}

TEST(Control, OfAPeerThatIsSilentInSomeCasesAloneLeavesTheRestToBeRun) {
  const Controlled done = run({"y/*"}, {.stops_early = true}, /*silenced=*/false, controlled(ten<kIsPassedOver>));
  EXPECT_FALSE(done.outcome.lost);
  EXPECT_EQ(std::ranges::count(done.outcome.results.cases, Verdict::skipped, &CaseResult::verdict), 0);
}

TEST(Control, IsNotAskedForWhereNoCaseIsLeft) {
  const auto done = run({}, {.left_out = {{"*", "not today"}}, .stops_early = true}, /*silenced=*/true);
  EXPECT_FALSE(done.outcome.lost);
  EXPECT_THAT(done.comments, IsEmpty());
}

TEST(Cases, NameTheRulesThatTheyDecide) {
  for (const Protocol* const protocol : protocols())
    for (const Case& one : protocol->cases()) {
      SCOPED_TRACE(one.id);
      EXPECT_FALSE(one.rules.empty());
      EXPECT_EQ(std::ranges::count(one.rules, nullptr), 0);
      for (const Rule* const rule : one.rules) EXPECT_EQ(std::ranges::count(one.rules, rule), 1) << rule->id;
    }
}

}  // namespace
}  // namespace wirelaw
