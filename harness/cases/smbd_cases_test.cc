// SPDX-License-Identifier: Apache-2.0
// The cases of SMB Direct against the reference peers over RDMAP in memory: the honest one passes each, and each
// deliberate fault is reported by exactly the rules that it breaks (Breach).
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "conformance/smbd/cases.h"
#include "conformance/smbd/smbd.h"
#include "harness/memory_run.h"
#include "harness/peers/reference_peers.h"
#include "reference/smbd/deviations.h"

namespace wirelaw::smbd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Iut = wirelaw::Role;

// Messages by the hundred thousand, which is much in small pieces and for each fault. Each of its rules has other
// cases.
const LeftOut kLong{"data/*-takes-131072-segments-of-one-octet", "is long, and run by itself"};

RunOutcome run(Iut iut, const MemoryRun& memory, const Selection& selection = {.cases = {"*"}},
               Service declared = Service::echo, const std::vector<LeftOut>& left_out = {}) {
  const RunOptions options{.iut = iut,
                           .selection = selection,
                           .left_out = left_out,
                           .application = declared,
                           .limits = {.deadline = std::chrono::minutes{10}}};
  return run_in_memory(kProtocol, options, memory).value();
}

std::vector<std::string> not_passed(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict != Verdict::pass)
      list.push_back(fmt::format("{}: {}: {}", one.id, to_string(one.verdict), one.reason));
  return list;
}

std::vector<std::string> findings(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const Finding& one : outcome.results.findings)
    list.push_back(fmt::format("{}: expected {}, got {}: {}", one.rule->id, one.expected, one.actual, one.explanation));
  return list;
}

class HonestPeer : public testing::TestWithParam<Iut> {};
INSTANTIATE_TEST_SUITE_P(Roles, HonestPeer, testing::Values(Iut::responder, Iut::initiator),
                         [](const auto& role) { return role.param == Iut::responder ? "Listener" : "Initiator"; });

TEST_P(HonestPeer, PassesEveryCaseWithoutAFinding) {
  const RunOutcome outcome = run(GetParam(), {});
  EXPECT_THAT(outcome.results.cases, Not(IsEmpty()));
  EXPECT_THAT(not_passed(outcome), IsEmpty());
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

TEST(HonestListener, WhoseApplicationIsUnknownIsNotBlamed) {
  const RunOutcome outcome = run(Iut::responder, {.application = Service::none}, {.cases = {"*"}}, Service::none);
  EXPECT_THAT(findings(outcome), IsEmpty());
  EXPECT_GT(std::ranges::count(outcome.results.cases, Verdict::pass, &CaseResult::verdict), 20);
}

// What cannot be found out is not waited for.
TEST(Parameters, ThatNobodyHasSaidLeaveCasesOut) {
  for (const Iut iut : {Iut::responder, Iut::initiator}) {
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
    EXPECT_EQ(skipped.contains("needs the parameter negotiation, in seconds"), iut == Iut::initiator);
  }
}

// In whatever pieces the stream comes.
TEST_P(HonestPeer, PassesOverAnyCutOfTheStream) {
  const RunOutcome outcome = run(GetParam(), {.impairments = {.cut = 61}}, {.cases = {"*"}}, Service::echo, {kLong});
  EXPECT_THAT(not_passed(outcome), ElementsAre(HasSubstr(kLong.reason)));
  EXPECT_THAT(findings(outcome), IsEmpty());
}

// ------------------------------------------------------------------------------------------- what a fault is found by

// A deviation in a role that can commit it.
struct Fault {
  const DeviationInfo* deviation;
  Iut iut;
};
void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.deviation->name << (fault.iut == Iut::responder ? " of a listener" : " of an initiator");
}

bool commits(Role who, Iut iut) {
  return who == Role::both || (who == Role::listener) == (iut == Iut::responder);
}
bool binds(Iut subject, Iut iut) {
  return subject == Iut::any || subject == iut;
}
// Whether an endpoint in this role with the deviation of the breach breaks its rule.
bool applies(const Breach& breach, Iut iut) {
  return commits(all_deviations()[breach.deviation].role, iut) && binds(breach.where.who, iut) &&
         binds(breach.rule->subject, iut);
}

std::vector<Fault> faults() {
  std::vector<Fault> all;
  for (const DeviationInfo& deviation : all_deviations())
    for (const Iut iut : {Iut::responder, Iut::initiator})
      if (commits(deviation.role, iut)) all.push_back({&deviation, iut});
  return all;
}

std::vector<Breach> all_breaches() {
  std::vector<Breach> all;
  for (const BreachList& section : breaches()) all.insert(all.end(), section.begin(), section.end());
  return all;
}

std::string report_of(const Rule& rule, Severity severity) {
  return fmt::format("{} {}", rule.id, severity == Severity::violation ? "violation" : "warning");
}

std::set<std::string> reports_expected(const Fault& fault) {
  std::set<std::string> reports;
  for (const Breach& breach : all_breaches())
    if (&all_deviations()[breach.deviation] == fault.deviation && applies(breach, fault.iut))
      reports.insert(report_of(*breach.rule, breach.where.severity));
  return reports;
}

std::string identifier(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

// Deviations that no rule reports over RDMAP, and why.
struct OutOfReach {
  std::string_view deviation;
  std::string_view reason;
};
constexpr OutOfReach kOutOfReach[] = {
    {"accepts-long-message", "a message that is longer than its receive does not reach the endpoint: DDP refuses it"},
};
bool is_out_of_reach(const Fault& fault) {
  return std::ranges::count(kOutOfReach, fault.deviation->name, &OutOfReach::deviation) > 0;
}

class EachFault : public testing::TestWithParam<Fault> {};
INSTANTIATE_TEST_SUITE_P(Peers, EachFault, testing::ValuesIn(faults()), [](const auto& fault) {
  return identifier(
      fmt::format("{}_{}", fault.param.iut == Iut::responder ? "listener" : "initiator", fault.param.deviation->name));
});

TEST_P(EachFault, IsReportedByTheRulesThatItBreaksAndNoOther) {
  const Fault& fault = GetParam();
  const RunOutcome outcome =
      run(fault.iut, {.deviations = {std::string(fault.deviation->name)}}, {.cases = {"*"}}, Service::echo, {kLong});
  std::set<std::string> reports;
  for (const Finding& finding : outcome.results.findings) reports.insert(report_of(*finding.rule, finding.severity));
  EXPECT_EQ(reports, reports_expected(fault));
  EXPECT_EQ(reports.empty(), is_out_of_reach(fault)) << "what no rule reports has its reason in kOutOfReach";
}

// Cases that no deviation fails, and why.
struct NeverFails {
  std::string_view id;
  std::string_view reason;
};
constexpr std::string_view kLeavesNothing = "no deviation holds on to what an orderly beginning has left";
constexpr NeverFails kNeverFail[] = {
    {"negotiate/listener-serves-two-connections", "no deviation mixes connections up"},
    {"end/listener-survives-a-close-between-messages", kLeavesNothing},
    {"end/initiator-survives-a-close-between-messages", kLeavesNothing},
    {"end/listener-survives-a-terminate-between-messages", kLeavesNothing},
    {"end/initiator-survives-a-terminate-between-messages", kLeavesNothing},
    {"end/listener-survives-a-reset-between-messages", kLeavesNothing},
    {"end/initiator-survives-a-reset-between-messages", kLeavesNothing},
};

class EachCase : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Suite, EachCase, testing::ValuesIn(suite().cases().begin(), suite().cases().end()),
                         [](const auto& one) { return identifier(std::string(one.param.id)); });

bool fails_by(const Case& one, const Breach& breach) {
  const RunOutcome outcome = run(one.iut, {.deviations = {std::string(all_deviations()[breach.deviation].name)}},
                                 {.cases = {std::string(one.id)}});
  return std::ranges::any_of(outcome.results.findings,
                             [&](const Finding& finding) { return finding.rule == breach.rule; });
}

TEST_P(EachCase, FailsForABreachOfItsRules) {
  const Case& one = GetParam();
  const bool fails = std::ranges::any_of(all_breaches(), [&](const Breach& breach) {
    return std::ranges::count(one.rules, breach.rule) > 0 && applies(breach, one.iut) && fails_by(one, breach);
  });
  EXPECT_NE(fails, std::ranges::count(kNeverFail, one.id, &NeverFails::id) > 0);
}

TEST(Breaches, CanAllHappen) {
  for (const Breach& breach : all_breaches())
    EXPECT_TRUE(applies(breach, Iut::responder) || applies(breach, Iut::initiator))
        << all_deviations()[breach.deviation].name << ": " << breach.rule->id;
}

}  // namespace
}  // namespace wirelaw::smbd
