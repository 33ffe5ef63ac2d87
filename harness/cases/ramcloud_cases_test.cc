// SPDX-License-Identifier: Apache-2.0
// The cases of RAMCloud RPC against the reference peers: the honest one passes each, and each deliberate fault is
// reported by exactly the rules that it breaks (Breach).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "conformance/ramcloud/cases.h"
#include "conformance/ramcloud/ramcloud.h"
#include "harness/cases/breach_walk.h"
#include "harness/memory_run.h"
#include "harness/peers/reference_peers.h"
#include "reference/ramcloud/deviations.h"

namespace wirelaw::ramcloud {
namespace {

using std::chrono::minutes;
using testing::IsEmpty;
using testing::Not;

RunOutcome run(Role iut, const MemoryRun& memory, const Selection& selection = {.cases = {"*"}},
               Service declared = Service::count) {
  const RunOptions options{.iut = iut,
                           .selection = selection,
                           .application = declared,
                           // A client that never gives up needs more time.
                           .limits = {.deadline = iut == Role::initiator ? minutes{10} : minutes{1}}};
  return run_in_memory(kProtocol, options, memory).value();
}

class HonestPeer : public testing::TestWithParam<Role> {};
INSTANTIATE_TEST_SUITE_P(Roles, HonestPeer, testing::Values(Role::responder, Role::initiator),
                         [](const auto& role) { return role.param == Role::responder ? "Server" : "Client"; });

TEST_P(HonestPeer, PassesEveryCaseWithoutAFinding) {
  const RunOutcome outcome = run(GetParam(), {});
  EXPECT_THAT(not_passed(outcome), IsEmpty());
  EXPECT_THAT(findings(outcome), IsEmpty());
}

std::size_t count_of(const RunOutcome& outcome, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count(outcome.results.cases, verdict, &CaseResult::verdict));
}

// Acts as the clients of 2010 did. No case waits for a silence that never comes.
TEST(HonestClient, MayRepeatItselfEveryTenMilliseconds) {
  const RunOutcome outcome = run(Role::initiator, {.settings = {"eager"}});
  EXPECT_THAT(not_passed(outcome), IsEmpty());
  EXPECT_THAT(findings(outcome), IsEmpty());
}

// The text has a client repeat itself "a fixed number (X)" of times: 1,200 is one.
TEST(HonestClient, MayRepeatItself1200Times) {
  const RunOutcome outcome = run(Role::initiator, {.settings = {"patient"}});
  EXPECT_THAT(not_passed(outcome), IsEmpty());
  EXPECT_THAT(findings(outcome), IsEmpty());
}

TEST(HonestServer, WithAnotherApplicationPassesMostCases) {
  const RunOutcome outcome = run(Role::responder, {}, {.cases = {"*"}}, Service::none);
  EXPECT_THAT(findings(outcome), IsEmpty());
  EXPECT_GE(count_of(outcome, Verdict::pass), 36u);
  EXPECT_EQ(count_of(outcome, Verdict::pass) + count_of(outcome, Verdict::skipped), outcome.results.cases.size());
}

TEST(HonestServer, WhoseApplicationIsDeclaredWronglyIsNotBlamed) {
  const RunOutcome outcome = run(Role::responder, {.application = Service::none}, {.cases = {"*"}}, Service::echo);
  EXPECT_THAT(findings(outcome), IsEmpty());
  EXPECT_EQ(count_of(outcome, Verdict::fail), 0u);
  EXPECT_GT(count_of(outcome, Verdict::inconclusive), 0u);
  for (const CaseResult& one : outcome.results.cases) {
    if (one.verdict != Verdict::inconclusive) continue;
    EXPECT_THAT(one.reason, testing::HasSubstr("--application none")) << one.id;
  }
}

TEST_P(HonestPeer, NeverFailsOnARoughNetwork) {
  constexpr unsigned kSeeds = 100;
  unsigned inconclusive = 0, all = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const double rate = 0.05 + 0.05 * seed / kSeeds;
    const RunOutcome outcome =
        run(GetParam(), {.network_faults = {.loss = rate, .duplication = rate, .reordering = rate}, .seed = seed});
    for (const CaseResult& one : outcome.results.cases) {
      EXPECT_NE(one.verdict, Verdict::fail) << "seed " << seed << ", " << one.id << ": " << one.reason;
      ++all;
      inconclusive += one.verdict == Verdict::inconclusive ? 1 : 0;
    }
  }
  RecordProperty("inconclusive", fmt::format("{} of {}", inconclusive, all));
}

// ------------------------------------------------------------------------------------------- what a fault is found by

const BreachWalk& walk() {
  static const BreachWalk kWalk(find_reference_peer("ramcloud")->deviations(), breaches());
  return kWalk;
}

// Faults that answer a packet with so many that most cases would take minutes. For these, only the cases run that judge
// a rule which the fault breaks.
constexpr Deviation kStorms[] = {Deviation::resends_everything_on_ack};

Selection cases_for(const DeviationOfRole& fault) {
  if (std::ranges::count(kStorms, static_cast<Deviation>(fault.deviation)) == 0) return {.cases = {"*"}};
  Selection selection;
  for (const Breach& breach : walk().breaches())
    if (breach.deviation == fault.deviation) selection.rules.emplace_back(breach.rule->id);
  return selection;
}

class EachFault : public testing::TestWithParam<DeviationOfRole> {};
INSTANTIATE_TEST_SUITE_P(Peers, EachFault, testing::ValuesIn(walked(walk().faults())),
                         [](const auto& fault) { return test_name(fault.param); });

TEST_P(EachFault, IsReportedByTheRulesThatItBreaksAndNoOther) {
  const DeviationOfRole& fault = GetParam();
  const RunOutcome outcome = run(fault.iut, {.deviations = {std::string(fault.name)}}, cases_for(fault));
  for (const Finding& finding : outcome.results.findings) {
    if (finding.severity != Severity::violation || finding.rule->observable != Observable::stimulus) continue;
    EXPECT_TRUE(std::ranges::any_of(outcome.results.cases, [&](const CaseResult& one) {
      return one.verdict == Verdict::fail && std::ranges::count(one.rules, finding.rule) > 0;
    })) << finding.rule->id;
  }
  EXPECT_THAT(reports_of(outcome), Not(IsEmpty()));
  EXPECT_EQ(reports_of(outcome), walk().reports_expected(fault));
}

constexpr NeverFails kNeverFail[] = {
    {"serverSessionHint/open-request-with-hint-0", "its rule is a MAY: the case warns"},
    {"requestAck/server-acknowledges-a-whole-request",
     "a server that answers no request at all has failed before the case begins"},
    {"old/client-gives-up-a-request",
     "no number of repetitions shows that there is no end (RAMCLOUD/R23): the case warns"},
    {"old/client-gives-up-a-long-request", "the same"},
    {"old/client-gives-up-a-partial-response", "the same"},
};

class EachCase : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Suite, EachCase, testing::ValuesIn(walked_cases(suite().cases())),
                         [](const auto& one) { return test_name(one.param.id); });

bool fails_by(const Case& one, const Breach& breach) {
  const RunOutcome outcome =
      run(one.iut, {.deviations = {std::string(walk().name_of(breach))}}, {.cases = {std::string(one.id)}});
  return std::ranges::count(outcome.results.cases, Verdict::fail, &CaseResult::verdict) > 0 &&
         has_finding(outcome, *breach.rule);
}

TEST_P(EachCase, FailsForABreachOfItsRules) {
  const Case& one = GetParam();
  const bool fails = std::ranges::any_of(walk().breaches(), [&](const Breach& breach) {
    return std::ranges::count(one.rules, breach.rule) > 0 && walk().applies(breach, one.iut) &&
           breach.where.severity == Severity::violation && fails_by(one, breach);
  });
  EXPECT_NE(fails, is_listed(kNeverFail, one));
}

TEST(Breaches, CanAllHappen) {
  EXPECT_THAT(walk().impossible(), IsEmpty());
}

// No run can refute that a number is finite (RAMCLOUD/R23).
constexpr std::string_view kOnlyWarnedOf[] = {"RAMCLOUD-old-2", "RAMCLOUD-old-11", "RAMCLOUD-old-15"};

TEST(StimulusRules, CanAllFail) {
  for (const Rule* rule : kProtocol.catalogue().rules()) {
    if (rule->observable != Observable::stimulus) continue;
    const bool may_warn = rule->level == Level::may || std::ranges::count(kOnlyWarnedOf, rule->id) > 0;
    EXPECT_TRUE(std::ranges::any_of(rule->broken_by, [&](const BrokenBy& by) {
      return by.severity == Severity::violation || may_warn;
    })) << rule->id;
  }
}

TEST(StimulusRules, AllHaveACase) {
  for (const Rule* rule : kProtocol.catalogue().rules())
    if (rule->observable == Observable::stimulus)
      EXPECT_TRUE(std::ranges::any_of(suite().cases(), [&](const Case& one) {
        return std::ranges::count(one.rules, rule) > 0 && one.iut == rule->subject;
      })) << rule->id;
}

}  // namespace
}  // namespace wirelaw::ramcloud
