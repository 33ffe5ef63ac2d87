// SPDX-License-Identifier: Apache-2.0
// The cases that drive the IUT through verbs, against the reference endpoint as a device in memory: the honest one
// passes each, and each rule that needs verbs is broken by a deviation, or has no case, with its reason.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "harness/cases/iwarp_runs.h"
#include "harness/peers/rdmap_peer.h"

namespace wirelaw::rdmap {
namespace {

using testing::IsEmpty;

constexpr std::string_view kCases = "verbs/*";

RunOutcome run(Role iut, bool extensions, std::vector<std::string> deviations, Selection selection,
               std::vector<std::string> settings = {"verbs"}) {
  return run_driven(iut,
                    {.extensions = extensions, .deviations = std::move(deviations), .settings = std::move(settings)},
                    std::move(selection));
}

TEST(VerbsCases, AreAllPassedByADeviceThatIsHonest) {
  for (const auto role : kRoles)
    EXPECT_THAT(complaints(run(role, true, {}, {.cases = {std::string(kCases)}})), IsEmpty());
}

// The same device; its application's peer is a tester that speaks the wire protocol.
TEST(VerbsCases, OfTheWireArePassedByAnApplicationAboveAnHonestDevice) {
  for (const auto role : kRoles) {
    const RunOutcome outcome = run(role, true, {}, {.cases = {"rdmapx/*"}});
    EXPECT_THAT(complaints(outcome, {Verdict::pass, Verdict::skipped}), IsEmpty());
    EXPECT_TRUE(std::ranges::any_of(outcome.results.cases, [](const CaseResult& one) {
      return one.verdict == Verdict::pass;
    })) << name_of(role);
  }
}

// siw is such a driver.
TEST(VerbsCases, NeedNoStateOfTheQueuePair) {
  for (const auto role : kRoles) {
    const auto at = [&](std::vector<std::string> deviations) {
      return complaints(run(role, true, std::move(deviations), {.cases = {"verbs/*/binds-its-queue-pair"}},
                            {std::string(kVerbsSetting), std::string(kStatelessSetting)}));
    };
    EXPECT_THAT(at({}), IsEmpty());
    EXPECT_THAT(at({"header-before-payload"}), testing::Contains(testing::HasSubstr("MPA-7.1-2: expected")));
  }
}

TEST(VerbsCases, AreSkippedWhereTheDeviceLacksWhatTheyAreAbout) {
  for (const auto role : kRoles) {
    for (const CaseResult& one : run(role, false, {}, {.cases = {std::string(kCases)}}).results.cases) {
      EXPECT_THAT(one.verdict, testing::AnyOf(Verdict::pass, Verdict::skipped)) << one.id << ": " << one.reason;
      if (one.verdict == Verdict::skipped) {
        EXPECT_THAT(one.reason, testing::HasSubstr("the device does not support"));
      }
    }
  }
}

TEST(VerbsCases, AreSkippedWhereNobodyDrivesTheIut) {
  for (const auto role : kRoles) {
    const RunOptions options{.iut = role, .selection = {.cases = {std::string(kCases)}}};
    const RunOutcome outcome = run_in_memory(kProtocol, options).value();
    for (const CaseResult& one : outcome.results.cases) {
      EXPECT_EQ(one.verdict, Verdict::skipped) << one.id;
      EXPECT_THAT(one.reason, testing::HasSubstr("driven through verbs")) << one.id;
    }
  }
}

// --- each rule, and the deviations that break it

class EachBreachAtVerbs : public testing::TestWithParam<BreachRow> {};
INSTANTIATE_TEST_SUITE_P(Of, EachBreachAtVerbs, testing::ValuesIn(driven_rows("verbs")),
                         [](const auto& row) { return test_name_of(row.param); });

TEST_P(EachBreachAtVerbs, IsReported) {
  expect_reported(GetParam());
}

// --- rules that stay without a case, by their ids, and why

struct Untested {
  std::string_view rules, why;
};
constexpr Untested kUntested[] = {
    {"RDMAP-6.2-3", "what the ULPs say to each other before the close is theirs"},
    {"RDMAP-8.1.1-2", "verbs tie an STag to one queue pair by memory windows of type 2 alone"},
    {"DDP-8.2-2", "as RDMAP-8.1.1-2"},
    {"DDP-8.2-3", "a recommendation to the ULP"},
    {"DDP-8.2-4", "association by stream: as RDMAP-8.1.1-2"},
    {"DDP-8.3-3", "as RDMAP-8.1.1-2"},
    {"DDP-8.3.1-2", "as RDMAP-8.1.1-2"},
    {"RDMAP-8.1.1-8", "a property of many registrations, on which no number of them decides"},
    {"RDMAP-8.1.1-9", "how ULPs share queues is theirs"},
    {"RDMAP-8.1.1-10", "an overflow of a completion queue is not brought about without harm to others"},
    {"RDMAP-8.1.1-12", "a property of the product"},
    {"RDMAP-8.1.2-*", "needs a local user without privileges"},
    {"RDMAP-8.2.2-*", "IPsec is below TCP"},
    {"RDMASEC-7.2-1", "needs a local user without privileges"},
    {"RDMAPX-5.4-4", "a permission"},
    {"RDMAPX-5.4-6", "a permission"},
    {"DDP-3-1", "between two layers of one implementation"},
    {"DDP-3-2", "between two layers of one implementation"},
    {"DDP-3-5", "between two layers of one implementation"},
    {"DDP-3-7", "between two layers of one implementation"},
    {"DDP-3-11", "between two layers of one implementation"},
    {"DDP-4.2-3", "between two layers of one implementation: a Write is not reported"},
    {"DDP-4.2-7", "between two layers of one implementation: a Write is not reported"},
    {"DDP-6.2-1", "between two layers of one implementation"},
    {"DDP-6.2.1-6", "no verb closes one half"},
    {"DDP-6.2.2-6", "between two layers of one implementation"},
    {"DDP-7.2-21", "that a buffer was there is known to the sink; waiting is allowed too (RDMAP/A-26)"},
    {"DDP-8.3-5", "a property of the product"},
    {"DDP-8.3.1-7", "a property of the product"},
    {"DDP-8.3.2-*", "needs a local user without privileges"},
    {"DDP-8.4-1", "the deployment's choice"},
    {"DDP-8.4.2-*", "IPsec is below TCP"},
    {"MPA-1.2-*", "between two layers of one implementation, or the administrator's"},
    {"MPA-3-2", "a value inside one implementation"},
    {"MPA-3-4", "a value inside one implementation; its lower end is MPA-4.5-4"},
    {"MPA-3-7", "between two layers of one implementation"},
    {"MPA-3-8", "between two layers of one implementation"},
    {"MPA-3-9", "between two layers of one implementation"},
    {"MPA-3-10", "between two layers of one implementation"},
    {"MPA-3-11", "between two layers of one implementation"},
    {"MPA-4.4-3", "the administrator's"},
    {"MPA-4.4-4", "that a thing is not there is not shown by its absence from one interface"},
    {"MPA-4.5-3", "MULPDU is a value inside one implementation"},
    {"MPA-5.1-2", "what TCP reports is known inside the implementation"},
    {"MPA-7.1.1-12", "librdmacm has no word for the revision"},
    {"MPA-7.1.2-15", "a recommendation to the ULP"},
    {"MPA-7.1.2-16", "memory of one implementation"},
    {"MPA-7.1.5-1", "librdmacm begins with MPA: no streaming data comes before it"},
    {"MPA-8-6", "which layer has closed does not show"},
    {"MPA-9.*", "IPsec is below TCP"},
    {"ECE-5-2", "librdmacm has no word for it"},
    {"ECE-9.1-6", "a permission, which librdmacm has no word for"},
    {"ECE-9.1-10", "a value inside one implementation: ECE-9.1-8 and -9 judge the wire"},
    {"ECE-9.1-11", "a value inside one implementation: ECE-9.1-8 and -9 judge the wire"},
    {"ECE-9.2-8", "what a responder supports is known there alone"},
    {"ECE-9.2-12", "which model is wanted is the driver's setting"},
    {"ECE-9.3-1", "what error a side has met does not show"},
    {"ECE-10-3", "what an initiator wants is its ULP's"},
};

TEST(VerbsCases, JudgeEachRuleThatNeedsVerbsOrAreSaidNotTo) {
  const auto rows = driven_rows("verbs");
  std::set<std::string_view> in_cases;
  for (const Case& one : kProtocol.cases())
    if (matches_glob(kCases, one.id))
      for (const Rule* rule : one.rules) in_cases.insert(rule->id);
  for (const Rule* rule : kProtocol.catalogue().rules()) {
    const bool judged = in_cases.contains(rule->id);
    const bool broken = std::ranges::any_of(rows, [&](const BreachRow& row) { return row.breach->rule == rule; });
    const bool untested = std::ranges::any_of(
        kUntested, [&](const Untested& one) { return matches_glob(one.rules, rule->id) && !one.why.empty(); });
    EXPECT_EQ(judged, broken) << rule->id
                              << " is judged by a case, and no breach shows that it can fail, or the reverse";
    if (rule->observable == Observable::api || judged) {
      EXPECT_EQ(rule->observable, Observable::api) << rule->id;
      EXPECT_NE(judged, untested) << rule->id;
    }
  }
}

TEST(VerbsCases, EachFailForABreachOfTheirRules) {
  expect_each_case_to_fail("verbs");
}

}  // namespace
}  // namespace wirelaw::rdmap
