// SPDX-License-Identifier: Apache-2.0
// The cases of UMSP against the reference node in memory: the honest one passes each, each rule that needs a stimulus
// has a case, each case is failed by a deliberate fault, and each fault is reported by exactly the rules that it breaks
// (Breach).
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "conformance/umsp/cases.h"
#include "conformance/umsp/umsp.h"
#include "harness/cases/breach_walk.h"
#include "harness/memory_run.h"
#include "harness/peers/reference_peers.h"

namespace wirelaw::umsp {
namespace {

using testing::IsEmpty;
using testing::Not;

RunOutcome run(Role iut, const MemoryRun& memory, const Selection& selection = {.cases = {"*"}}) {
  const RunOptions options{.iut = iut, .selection = selection, .limits = {.deadline = std::chrono::minutes{20}}};
  return run_in_memory(kProtocol, options, memory).value();
}

// ------------------------------------------------------------------------------------------------------ honest nodes

// Cases that need addresses of other lengths, or a control point elsewhere, pass if there are such.
std::set<std::string> not_passed_anywhere(Role iut, const NetworkFaults& network_faults) {
  std::set<std::string> rest;
  for (const char* setting : {"", "address-2", "address-3", "remote-jcp"}) {
    MemoryRun memory{.network_faults = network_faults};
    if (*setting != 0) memory.settings = {setting};
    for (const CaseResult& one : run(iut, memory).results.cases) {
      if (*setting == 0 && one.verdict != Verdict::pass) rest.emplace(one.id);
      if (*setting != 0 && one.verdict == Verdict::pass) rest.erase(std::string(one.id));
    }
  }
  return rest;
}

class HonestPeer : public testing::TestWithParam<Role> {};
INSTANTIATE_TEST_SUITE_P(Roles, HonestPeer, testing::Values(Role::responder, Role::initiator),
                         [](const auto& role) { return role.param == Role::responder ? "Executor" : "Initiator"; });

TEST_P(HonestPeer, PassesEveryCaseWithoutAFinding) {
  const RunOutcome outcome = run(GetParam(), {});
  EXPECT_THAT(outcome.results.cases, Not(IsEmpty()));
  EXPECT_THAT(not_passed_anywhere(GetParam(), {}), IsEmpty());
  EXPECT_THAT(findings(outcome), IsEmpty());
}

TEST_P(HonestPeer, PassesOverAnyCutOfTheStream) {
  const RunOutcome outcome = run(GetParam(), {.network_faults = {.cut = 7}});
  EXPECT_THAT(not_passed_anywhere(GetParam(), {.cut = 7}), IsEmpty());
  EXPECT_THAT(findings(outcome), IsEmpty());
}

// Addresses of other lengths cause no finding. Cases that cannot be tried are skipped.
TEST_P(HonestPeer, WithOtherAddressesIsNotBlamed) {
  for (const char* setting : {"address-2", "address-3", "remote-jcp"}) {
    const RunOutcome outcome = run(GetParam(), {.settings = {setting}});
    EXPECT_THAT(findings(outcome), IsEmpty()) << setting;
    for (const CaseResult& one : outcome.results.cases)
      EXPECT_NE(one.verdict, Verdict::fail) << setting << ": " << one.id << ": " << one.reason;
  }
}

// ------------------------------------------------------------------------------------------------ the suite as a whole

TEST(Suite, NamesRulesForEachCase) {
  for (const Case& one : suite().cases()) EXPECT_THAT(one.rules, Not(IsEmpty())) << one.id;
}

TEST(Suite, HasACaseForEachRuleThatNeedsAStimulus) {
  std::set<const Rule*> judged;
  for (const Case& one : suite().cases()) judged.insert(one.rules.begin(), one.rules.end());
  std::vector<std::string_view> without;
  for (const Rule* const rule : kProtocol.catalogue().rules())
    if (rule->observable == Observable::stimulus && !judged.contains(rule)) without.push_back(rule->id);
  EXPECT_THAT(without, IsEmpty());
}

// ------------------------------------------------------------------------------------------- what a fault is found by

const BreachWalk& walk() {
  static const BreachWalk kWalk(find_reference_peer("umsp")->deviations(), breaches());
  return kWalk;
}

// The cases that judge a rule which the fault breaks.
std::vector<std::string> cases_for(const DeviationOfRole& fault) {
  std::vector<std::string> ids;
  for (const Case& one : suite().cases())
    if (std::ranges::any_of(walk().breaches(), [&](const Breach& breach) {
          return breach.deviation == fault.deviation && std::ranges::count(one.rules, breach.rule) > 0;
        }))
      ids.emplace_back(one.id);
  return ids;
}

// A breach that needs circumstances shows with the peer's setting that they name.
std::vector<std::string> settings_of(const Breach& breach) {
  if (breach.where.given.empty()) return {};
  return {std::string(breach.where.given)};
}
std::set<std::vector<std::string>> settings_for(const DeviationOfRole& fault) {
  std::set<std::vector<std::string>> all;
  for (const Breach& breach : walk().breaches())
    if (breach.deviation == fault.deviation && walk().applies(breach, fault.iut)) all.insert(settings_of(breach));
  return all;
}

// The faults that show in that role.
std::vector<DeviationOfRole> faults_that_show() {
  std::vector<DeviationOfRole> faults = walk().faults();
  std::erase_if(faults, [](const DeviationOfRole& fault) { return walk().reports_expected(fault).empty(); });
  return faults;
}

class EachFault : public testing::TestWithParam<DeviationOfRole> {};
INSTANTIATE_TEST_SUITE_P(Peers, EachFault, testing::ValuesIn(walked(faults_that_show())),
                         [](const auto& fault) { return test_name(fault.param); });

TEST_P(EachFault, IsReportedByTheRulesThatItBreaksAndNoOther) {
  const DeviationOfRole& fault = GetParam();
  const std::set<std::string> expected = walk().reports_expected(fault);
  std::set<std::string> reports;
  for (const std::vector<std::string>& settings : settings_for(fault)) {
    const MemoryRun memory{.deviations = {std::string(fault.name)}, .settings = settings};
    reports.merge(reports_of(run(fault.iut, memory, {.cases = cases_for(fault)})));
  }
  EXPECT_THAT(without(reports, expected), IsEmpty()) << "has no row";
  EXPECT_THAT(without(expected, reports), IsEmpty()) << "is not reported";
}

class EachCase : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Suite, EachCase, testing::ValuesIn(walked_cases(suite().cases())),
                         [](const auto& one) { return test_name(one.param.id); });

RunOutcome run_with(const Case& one, const Breach& breach) {
  const MemoryRun memory{.deviations = {std::string(walk().name_of(breach))}, .settings = settings_of(breach)};
  return run(one.iut, memory, {.cases = {std::string(one.id)}});
}

TEST_P(EachCase, FailsForABreachOfItsRules) {
  EXPECT_TRUE(reports_some(walk(), GetParam(), run_with));
}

// Deviations that the traffic of one peer cannot show; tests of the reference's parts prove them. They break rules for
// which nothing can be sent, or need more than the two parties of a case.
struct Unseen {
  std::string_view deviation;
  std::string_view rule;    // rules of the level api that it breaks
  std::string_view reason;  // why it breaks another one
};
constexpr Unseen kUnseen[] = {
    {"shut-down-silent", "UMSP-5.6-4", {}},
    {"sessions-not-abended", "UMSP-5.5-4", {}},
    {"terminate-misdirected", "UMSP-5.5.1-1", {}},
    {"terminate-not-sent", "UMSP-5.5.1-2", {}},
    {"task-notice-with-extension-ignored", "UMSP-5.5.2-7", {}},
    {"node-end-not-reported", "UMSP-5-8", {}},
    {"completion-not-sent", "UMSP-5.6-1", {}},
    {"waits-for-ever", "UMSP-5-32", {}},
    {"thread-waits-for-ever", "UMSP-6-17", {}},
    {"code-apart", "UMSP-6.4-1", {}},
    {"run-code-kept", "UMSP-6.4.5-11", {}},
    {"pointers-kept", "UMSP-6.6.4-4", {}},
    {"life-time-not-passed", "UMSP-8.5-10", {}},
    {"req-id-of-vm-kept", "UMSP-7.5-10", {}},
    {"queue-not-counted", "UMSP-8.5-5", {}},
    {"over-sequence-goes-on", "UMSP-8.5-13", {}},
    {"over-fragments-go-on", "UMSP-8.5-17", {}},
    {"life-time-left-out", "UMSP-8.5-19", {}},
    {"old-gjid-again", {}, "the JCP has to be restarted by a job of another node"},
    {"former-task-goes-on", {}, "the IUT has to execute a task of a JCP that is not its initiator"},
    {"opened-again-admitted", {}, "two nodes have to open sessions of one job"},
    {"terminate-with-first-ctid", {}, "the IUT has to end a task by itself"},
    {"terminated-task-goes-on", {}, "the IUT has to end a task by itself"},
    {"node-sends-notice", {}, "the IUT has to end a task by itself"},
    {"inaction-always-named", {}, "the IUT has to have tasks of two jobs under one JCP"},
    {"completed-task-denied", {}, "the IUT has to complete a task by itself"},
    {"allocates-without-session", {}, "the memory that it gives is nobody's: nothing can be read back"},
};

// Each deviation breaks a rule.
TEST(Breaches, AreThereForEachDeviation) {
  std::set<unsigned> broken;
  for (const Breach& breach : walk().breaches()) broken.insert(breach.deviation);
  std::set<std::string> harmless, unseen;
  const std::vector<DeviationName> names = find_reference_peer("umsp")->deviations();
  for (unsigned i = 0; i < names.size(); ++i)
    if (!broken.contains(i)) harmless.emplace(names[i].name);
  for (const Unseen& one : kUnseen) unseen.emplace(one.deviation);
  EXPECT_EQ(harmless, unseen);
}

TEST(Breaches, ThatNothingShowsAreOfRulesForWhichNothingCanBeSent) {
  for (const Unseen& one : kUnseen) {
    ASSERT_NE(one.rule.empty(), one.reason.empty()) << one.deviation;
    if (one.rule.empty()) continue;
    const Rule* const rule = kProtocol.catalogue().find(one.rule);
    ASSERT_NE(rule, nullptr) << one.rule;
    EXPECT_EQ(rule->observable, Observable::api) << one.rule;
  }
}

TEST(Breaches, CanAllHappen) {
  EXPECT_THAT(walk().impossible(), IsEmpty());
}

}  // namespace
}  // namespace wirelaw::umsp
