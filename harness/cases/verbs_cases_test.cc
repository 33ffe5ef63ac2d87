// SPDX-License-Identifier: Apache-2.0
// The cases that drive the IUT through verbs, against the reference endpoint as a device in memory: the honest one
// passes each, and each rule that needs verbs is told by a deliberate fault, or has no case, with its reason.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "harness/cases/driven_run.h"
#include "harness/peers/rdmap_peer.h"

namespace wirelaw::rdmap {
namespace {

using testing::IsEmpty;

constexpr std::string_view kCases = "verbs/*";

RunOutcome run(wirelaw::Role iut, bool extensions, std::vector<std::string> deviations, Selection selection,
               std::vector<std::string> settings = {"verbs"}) {
  return run_driven(iut,
                    {.extensions = extensions, .deviations = std::move(deviations), .settings = std::move(settings)},
                    std::move(selection));
}

TEST(VerbsCases, AreAllPassedByADeviceThatIsHonest) {
  for (const auto role : kRoles)
    EXPECT_THAT(complaints(run(role, true, {}, {.cases = {std::string(kCases)}})), IsEmpty());
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
        EXPECT_THAT(one.reason, testing::HasSubstr("the device has no"));
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

// --- each rule, and the fault that it tells

constexpr Told kTold[] = {
    {"RDMAP-4.1-3", "invalidate-stag-lost"},
    {"RDMAP-4.1-38", "terminate-with-stag-ignored"},
    {"RDMAP-4.1-40", "receive-length-wrong"},
    {"RDMAP-4.3-1", "header-before-payload"},
    {"RDMAP-4.6-1", "header-before-payload"},
    {"RDMAP-4.6-2", "header-before-payload"},
    {"RDMAP-4.7-1", "header-before-payload"},
    {"RDMAP-4.7-2", "header-before-payload"},
    {"RDMAP-5.1-4", "work-reordered"},
    {"RDMAP-5.2.1-7", "work-reordered"},
    {"RDMAP-5.2.2-3", "read-data-lost"},
    {"RDMAP-5.3-7", "work-reordered"},
    {"RDMAP-5.3-9", "invalidate-stag-lost"},
    {"RDMAP-5.4-6", "terminate-ignored"},
    {"RDMAP-5.4-7", "invalid-terminate-ignored"},
    {"RDMAP-5.4-8", "work-not-flushed"},
    {"RDMAP-5.4-8", "work-flushed-as-success"},
    {"RDMAP-5.5-11", "read-completion-lost"},
    {"RDMAP-5.5-13", "work-reordered"},
    {"RDMAP-5.5-14", "completes-early"},
    {"RDMAP-5.5-15", "completions-reordered"},
    {"RDMAP-5.5-19", "reads-complete-early"},
    {"RDMAP-5.5-21", "fence-ignored"},
    {"RDMAP-6.1-5", "ord-off-by-one"},
    {"RDMAP-6.2.1-3", "work-not-flushed"},
    {"RDMAP-7.1-1", "error-not-surfaced"},
    {"RDMAP-7.1-3", "terminate-missing"},
    {"RDMAP-8.1.1-1", "protection-domains-ignored"},
    {"RDMAP-8.1.1-4", "deregistered-stays"},
    {"RDMAP-8.1.1-5", "accepts-access"},
    {"RDMAP-8.1.1-6", "deregistered-stays"},
    {"RDMAP-8.1.1-11", "exceeds-ord"},
    {"RDMASEC-6.1.1-1", "protection-domains-ignored"},
    {"RDMAPX-5.2.1-13", "atomic-consumes-receive"},
    {"RDMAPX-5.2.1-16", "work-reordered"},
    {"RDMAPX-5.2.2-6", "ird-off-by-one"},
    {"RDMAPX-5.2.2-7", "atomic-responses-short"},
    {"RDMAPX-5.2.2-8", "atomic-result-lost"},
    {"RDMAPX-5.4-1", "reads-complete-early"},
    {"RDMAPX-5.4-7", "reads-complete-early"},
    {"RDMAPX-6.1-1", "immediate-value-wrong"},
    {"RDMAPX-6.1-1", "solicited-not-told"},
    {"RDMAPX-6.3-3", "receives-reordered"},
    {"RDMAPX-6.3-6", "work-reordered"},
    {"RDMAPX-6.4-1", "completions-reordered"},
    {"RDMAPX-7-1", "receives-reordered"},
    {"RDMAPX-7-2", "receive-told-late"},
    {"RDMAPX-7-3", "receive-told-late"},
    {"RDMAPX-7-4", "receives-reordered"},
    {"RDMAPX-7-5", "delivers-before-placing"},
    {"RDMAPX-7-10", "receive-told-late"},
    {"RDMAPX-8.1-1", "terminate-missing"},
    {"DDP-3-3", "error-not-surfaced"},
    {"DDP-3-9", "disconnect-not-told"},
    {"DDP-4.2-2", "header-before-payload"},
    {"DDP-4.2-6", "to-wrong"},
    {"DDP-4.3-2", "solicited-not-sent"},
    {"DDP-4.3-3", "invalidated-rkey-wrong"},
    {"DDP-5.2-4", "write-cut"},
    {"DDP-5.2-8", "to-wrong"},
    {"DDP-6.2.1-2", "posts-after-disconnect"},
    {"DDP-6.2.1-5", "never-closes"},
    {"DDP-6.2.2-1", "error-not-surfaced"},
    {"DDP-6.2.2-2", "error-not-surfaced"},
    {"DDP-6.2.2-4", "work-not-flushed"},
    {"DDP-7-1", "error-not-surfaced"},
    {"DDP-7.1-11", "places-what-fits"},
    {"DDP-7.1-11", "places-after-error"},
    {"DDP-8.2-1", "protection-domains-ignored"},
    {"DDP-8.3-1", "deregistered-stays"},
    {"DDP-8.3-2", "deregistered-stays"},
    {"DDP-8.3-4", "error-not-surfaced"},
    {"DDP-8.3.1-1", "protection-domains-ignored"},
    {"DDP-8.3.1-4", "deregistered-stays"},
    {"DDP-8.3.1-5", "accepts-access"},
    {"DDP-8.3.1-6", "deregistered-stays"},
    {"MPA-3-6", "receive-length-wrong"},
    {"MPA-4.3-8", "boundaries-lost"},
    {"MPA-4.3-9", "pad-delivered"},
    {"MPA-4.5-4", "mulpdu-of-sixty"},
    {"MPA-4.5-5", "mulpdu-of-sixty"},
    {"MPA-7.1-2", "queue-pair-not-bound"},
    {"MPA-7.1.1-17", "private-data-not-passed"},
    {"MPA-7.1.1-18", "start-error-not-reported"},
    {"MPA-7.1.2-4", "reject-closes"},
    {"MPA-7.2-2", "disconnect-not-told"},
    {"MPA-8-1", "error-not-surfaced"},
    {"ECE-9.1-1", "depths-not-passed"},
    {"ECE-9.1-12", "depths-not-passed"},
};

class EachRule : public testing::TestWithParam<Told> {};
INSTANTIATE_TEST_SUITE_P(OfVerbs, EachRule, testing::ValuesIn(kTold),
                         [](const auto& told) { return name_of(told.param); });

TEST_P(EachRule, TellsItsFault) {
  expect_told(GetParam(), kCases, /*pair=*/false);
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
    {"RDMAP-8.1.1-7", "needs two queue pairs in one protection domain"},
    {"RDMAP-8.1.1-8", "a property of many registrations, on which no number of them decides"},
    {"RDMAP-8.1.1-9", "how ULPs share queues is theirs"},
    {"RDMAP-8.1.1-10", "an overflow of a completion queue is not brought about without harm to others"},
    {"RDMAP-8.1.1-12", "a property of the product"},
    {"RDMAP-8.1.2-*", "needs a local user without privileges"},
    {"RDMAP-8.2.2-*", "IPsec is below TCP"},
    {"RDMASEC-7.2-1", "needs a local user without privileges"},
    {"RDMAPX-5-1", "needs one word that two streams reach"},
    {"RDMAPX-5.3-1", "as RDMAPX-5-1"},
    {"RDMAPX-5.4-4", "a permission"},
    {"RDMAPX-5.4-6", "a permission"},
    {"DDP-3-1", "between two layers of one implementation"},
    {"DDP-3-2", "between two layers of one implementation"},
    {"DDP-3-5", "between two layers of one implementation"},
    {"DDP-3-7", "between two layers of one implementation"},
    {"DDP-3-11", "between two layers of one implementation"},
    {"DDP-4.2-3", "between two layers of one implementation: a Write is not told"},
    {"DDP-4.2-5", "which STags the peer has advertised is known to the ULP"},
    {"DDP-4.2-7", "between two layers of one implementation: a Write is not told"},
    {"DDP-6.2-1", "between two layers of one implementation"},
    {"DDP-6.2.1-4", "no verb sends on a stream that the peer has closed"},
    {"DDP-6.2.1-6", "no verb closes one half"},
    {"DDP-6.2.2-6", "between two layers of one implementation"},
    {"DDP-7.2-21", "that a buffer was there is known to the sink; waiting is allowed too (A-26)"},
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
  std::set<std::string_view> in_cases;
  for (const Case& one : kProtocol.cases())
    if (matches_glob(kCases, one.id))
      for (const Rule* rule : one.rules) in_cases.insert(rule->id);
  for (const Rule* rule : kProtocol.catalogue().rules()) {
    const bool judged = in_cases.contains(rule->id);
    const bool told = std::ranges::find(kTold, rule->id, &Told::rule) != std::end(kTold);
    const bool untested = std::ranges::any_of(
        kUntested, [&](const Untested& one) { return matches_glob(one.rules, rule->id) && !one.why.empty(); });
    EXPECT_EQ(judged, told) << rule->id << " stands in a case, and no fault shows that it can fail, or the reverse";
    if (rule->observable == Observable::api || judged) {
      EXPECT_EQ(rule->observable, Observable::api) << rule->id;
      EXPECT_NE(judged, untested) << rule->id;
    }
  }
}

TEST(VerbsCases, AreEachToldOfByAFault) {
  expect_each_told_of(kCases, /*pair=*/false, kTold);
}

}  // namespace
}  // namespace wirelaw::rdmap
