// SPDX-License-Identifier: Apache-2.0
// All cases of EFA RDM against the reference peers: the honest one passes each, and each deliberate fault is told by
// some rule.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "conformance/efa/cases.h"
#include "conformance/efa/efa.h"
#include "harness/memory_run.h"
#include "harness/peers/reference_peers.h"
#include "reference/efa/offered_region.h"

namespace wirelaw::efa {
namespace {

using testing::IsEmpty;

// Surroundings in which a fault may show.
struct Scene {
  std::string_view name;
  std::vector<std::string> settings = {};  // of the reference peer
  std::vector<std::string> features = {"rdma_read", "rdma_write"};
  IutParameters parameters = {};        // of the peer, which the cases are told too
  std::vector<std::string> cases = {};  // all of them where none is named
};
const Scene kScenes[] = {
    {"plain"},
    {"constant header", {}, {"constant_header_length"}},
    {"no registrations", {"no-registrations"}},
    {"near the last msg_id",
     {},
     {"rdma_read"},
     {{"msg_id", "0xfffffffc"}},
     {"msg-id/*", "eager/*", "medium/*", "longcts/*", "atomic/*", "connid/*", "padding/*"}},
    {"late receives", {"late-receives"}},
    {"one tag", {}, {}, {{"tag", "0x8877665544332211"}}},
    {"all blocks", {"all-blocks"}},
    {"small receives", {}, {"rdma_read"}, {{"receive", "2000"}}, {"truncated/*"}},
};

// What the cases are told of a requester: a responder's reference peer says it itself.
IutParameters told_of_requester(const Scene& scene) {
  IutParameters told{{"addr", fmt::format("{}", kOfferedRegion.addr)},
                     {"key", fmt::format("{}", kOfferedRegion.key)},
                     {"length", fmt::format("{}", kOfferedRegion.len)}};
  told.insert(told.end(), scene.parameters.begin(), scene.parameters.end());
  return told;
}

RunOutcome run(wirelaw::Role iut, const Scene& scene, const Selection& selection,
               std::vector<std::string> deviations = {}) {
  RunOptions options{.iut = iut, .selection = selection, .application = Service::echo, .features = scene.features};
  if (iut == wirelaw::Role::initiator) options.parameters = told_of_requester(scene);
  return run_in_memory(
             kProtocol, options,
             {.deviations = std::move(deviations), .settings = scene.settings, .parameters = scene.parameters})
      .value();
}

RunOutcome run(wirelaw::Role iut, const Scene& scene) {
  return run(iut, scene, {.cases = scene.cases});
}

// A-20 expects 0 first, so that a peer which was told another number is warned of it.
bool is_first_msg_id(const Finding& one) {
  return one.rule->id == "EFA-3.2-4" && one.actual == "4294967292";
}

std::vector<std::string> complaints(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict != Verdict::pass && one.verdict != Verdict::skipped)
      list.push_back(fmt::format("{}: {}: {}", one.id, to_string(one.verdict), one.reason));
  for (const Finding& one : outcome.results.findings)
    if (!is_first_msg_id(one))
      list.push_back(
          fmt::format("{}: expected {}, got {}: {}", one.rule->id, one.expected, one.actual, one.explanation));
  return list;
}

std::string_view name_of(wirelaw::Role role) {
  return role == wirelaw::Role::responder ? "responder" : "requester";
}

constexpr wirelaw::Role kRoles[] = {wirelaw::Role::responder, wirelaw::Role::initiator};

TEST(HonestPeer, PassesEveryCaseWithoutAFinding) {
  for (const wirelaw::Role role : kRoles) {
    for (const Scene& scene : kScenes) {
      SCOPED_TRACE(fmt::format("{}, {}", name_of(role), scene.name));
      const RunOutcome outcome = run(role, scene);
      EXPECT_TRUE(!scene.cases.empty() || outcome.results.cases.size() > 50u);
      EXPECT_THAT(complaints(outcome), IsEmpty());
    }
  }
}

// A case that is skipped wherever it is tried judges nothing.
TEST(Cases, AreAllTriedSomewhere) {
  for (const wirelaw::Role role : kRoles) {
    std::map<std::string, std::string> skipped;  // with the reasons
    std::set<std::string> tried;
    for (const Scene& scene : kScenes)
      for (const CaseResult& one : run(role, scene).results.cases)
        if (one.verdict == Verdict::skipped)
          skipped[one.id] += one.reason + "; ";
        else
          tried.insert(one.id);
    for (const std::string& one : tried) skipped.erase(one);
    EXPECT_THAT(skipped, IsEmpty()) << name_of(role);
  }
}

TEST(StimulusRules, AllHaveACase) {
  for (const SectionCases& section : all_sections())
    for (const Rule* rule : section.rules)
      for (const wirelaw::Role role : kRoles) {
        const bool bound = rule->subject == role || rule->subject == wirelaw::Role::any;
        EXPECT_TRUE(!bound || std::ranges::any_of(all_cases(),
                                                  [&](const Case& one) {
                                                    return std::ranges::count(one.rules, rule) > 0 && one.iut == role;
                                                  }))
            << rule->id << " of a " << name_of(role);
      }
}

struct Fault {
  std::string name;
  wirelaw::Role role;
  std::string key() const { return fmt::format("{}/{}", name_of(role), name); }
};
void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.key();
}
std::vector<Fault> faults() {
  std::vector<Fault> all;
  for (const DeviationName& one : find_reference_peer("efa")->deviations())
    for (const wirelaw::Role role : kRoles)
      if (one.role == role || one.role == wirelaw::Role::any) all.push_back({std::string(one.name), role});
  return all;
}

class EachFault : public testing::TestWithParam<Fault> {};
INSTANTIATE_TEST_SUITE_P(Faults, EachFault, testing::ValuesIn(faults()), [](const auto& fault) {
  std::string name = fmt::format("{}_of_{}", fault.param.name, name_of(fault.param.role));
  std::ranges::replace(name, '-', '_');
  return name;
});

// What the first case that tells a fault says of it.
std::vector<std::string> first_complaints(const Fault& fault, const Scene& scene) {
  for (const Case* one : select_cases(kProtocol, fault.role, {.cases = scene.cases})) {
    auto told = complaints(run(fault.role, scene, {.cases = {std::string(one->id)}}, {fault.name}));
    if (!told.empty()) return told;
  }
  return {};
}

TEST_P(EachFault, IsToldBySomeRule) {
  std::vector<std::string> told;
  for (const Scene& scene : kScenes)
    if (told.empty()) told = first_complaints(GetParam(), scene);
  EXPECT_FALSE(told.empty());
}

// ------------------------------------------------------------------------------------ each case, and each of its rules

// A case that fails of a fault, by one rule and no other; or, of a rule that may be argued, warns.
struct Told {
  std::string_view tested, deviation, rule;
  std::string_view scene = "plain";
  Severity severity = Severity::violation;
};
void PrintTo(const Told& told, std::ostream* out) {
  *out << told.tested << " of " << told.deviation;
}
constexpr Told kTold[] = {
#include "harness/cases/efa_cases_told.inc"
};

const Case& case_named(std::string_view id) {
  return *std::ranges::find(all_cases(), id, &Case::id);
}

class EachCase : public testing::TestWithParam<Told> {};
INSTANTIATE_TEST_SUITE_P(Told, EachCase, testing::ValuesIn(kTold), [](const auto& told) {
  std::string name = fmt::format("{}_{}", told.param.tested, told.param.rule);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST_P(EachCase, FailsByOneRuleAlone) {
  const Told& told = GetParam();
  const auto scene = std::ranges::find(kScenes, told.scene, &Scene::name);
  ASSERT_NE(scene, std::end(kScenes));
  const RunOutcome outcome =
      run(case_named(told.tested).iut, *scene, {.cases = {std::string(told.tested)}}, {std::string(told.deviation)});
  std::set<std::string_view> rules;
  for (const Finding& one : outcome.results.findings)
    if ((one.severity == told.severity || one.severity == Severity::violation) && !is_first_msg_id(one))
      rules.insert(one.rule->id);
  EXPECT_THAT(rules, testing::ElementsAre(told.rule));
  ASSERT_EQ(outcome.results.cases.size(), 1u);
  EXPECT_EQ(outcome.results.cases[0].verdict == Verdict::fail, told.severity == Severity::violation);
}

TEST(Cases, CanAllFail) {
  std::set<std::string_view> rows;
  for (const Told& told : kTold) rows.insert(told.tested);
  for (const Case& one : all_cases()) EXPECT_TRUE(rows.contains(one.id)) << one.id;
}

// What a row shows to fail in this role.
bool can_fail(const Rule& rule, wirelaw::Role role) {
  return std::ranges::any_of(
      kTold, [&](const Told& told) { return told.rule == rule.id && case_named(told.tested).iut == role; });
}
void expect_to_fail_in_each_role(const Rule& rule) {
  for (const wirelaw::Role role : kRoles) {
    const bool bound = rule.subject == role || rule.subject == wirelaw::Role::any;
    EXPECT_TRUE(!bound || can_fail(rule, role)) << rule.id << " of a " << name_of(role);
  }
}

TEST(StimulusRules, CanAllFail) {
  for (const SectionCases& section : all_sections())
    for (const Rule* rule : section.rules) expect_to_fail_in_each_role(*rule);
}

// Those that need the IUT's application, or its device, beside the wire.
TEST(ApplicationRules, AllHaveACaseThatCanFail) {
  std::size_t rules = 0;
  for (const Rule* rule : kProtocol.catalogue().rules()) {
    if (rule->observable != Observable::api) continue;
    ++rules;
    expect_to_fail_in_each_role(*rule);
  }
  EXPECT_GT(rules, 25u);
}

}  // namespace
}  // namespace wirelaw::efa
