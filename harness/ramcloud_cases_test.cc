// SPDX-License-Identifier: Apache-2.0
// The cases of RAMCloud RPC against the reference peers: the honest one passes each, and each deliberate fault fails
// the rule that it breaks.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <set>

#include "conformance/ramcloud/cases.h"
#include "conformance/ramcloud/ramcloud.h"
#include "harness/memory_run.h"
#include "harness/reference_peers.h"

namespace wirelaw::ramcloud {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using testing::IsEmpty;

RunOutcome run(Role iut, const MemoryRun& memory) {
  return run_in_memory(kProtocol, {.iut = iut, .application = Application::count, .limits = {.deadline = minutes{10}}},
                       memory)
      .value();
}

std::vector<std::string> not_passed(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict != Verdict::pass)
      list.push_back(fmt::format("{}: {}: {}", one.id, to_string(one.verdict), one.reason));
  return list;
}

std::vector<std::string> warnings(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const Finding& one : outcome.results.findings)
    list.push_back(fmt::format("{}: expected {}, got {}: {}", one.rule->id, one.expected, one.actual, one.explanation));
  return list;
}

class HonestPeer : public testing::TestWithParam<Role> {};
INSTANTIATE_TEST_SUITE_P(Roles, HonestPeer, testing::Values(Role::responder, Role::initiator),
                         [](const auto& role) { return role.param == Role::responder ? "Server" : "Client"; });

TEST_P(HonestPeer, PassesEveryCaseWithoutAFinding) {
  const RunOutcome outcome = run(GetParam(), {});
  EXPECT_THAT(not_passed(outcome), IsEmpty());
  EXPECT_THAT(warnings(outcome), IsEmpty());
}

TEST_P(HonestPeer, NeverFailsOnARoughNetwork) {
  constexpr unsigned kSeeds = 100;
  unsigned inconclusive = 0, all = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const double rate = 0.05 + 0.05 * seed / kSeeds;
    const RunOutcome outcome =
        run(GetParam(), {.impairments = {.loss = rate, .duplication = rate, .reordering = rate}, .seed = seed});
    for (const CaseResult& one : outcome.results.cases) {
      EXPECT_NE(one.verdict, Verdict::fail) << "seed " << seed << ", " << one.id << ": " << one.reason;
      ++all;
      inconclusive += one.verdict == Verdict::inconclusive ? 1 : 0;
      if (one.verdict == Verdict::inconclusive && std::getenv("VERBOSE"))
        fmt::print("seed {}: {}: {}\n", seed, one.id, one.reason);
    }
  }
  RecordProperty("inconclusive", fmt::format("{} of {}", inconclusive, all));
  fmt::print("inconclusive: {} of {}\n", inconclusive, all);
}

TEST(Matrix, Print) {
  std::set<std::string_view> failed_rules;
  for (const DeviationName& deviation : find_reference_peer("ramcloud")->deviations()) {
    for (const Role role : {Role::responder, Role::initiator}) {
      if (deviation.role != Role::any && deviation.role != role) continue;
      const RunOutcome outcome = run(role, {.deviations = {std::string(deviation.name)}});
      std::map<std::string_view, unsigned> rules, warned;
      std::set<std::string> cases, unclear;
      for (const Finding& one : outcome.results.findings)
        ++(one.severity == Severity::violation ? rules : warned)[one.rule->id];
      for (const CaseResult& one : outcome.results.cases) {
        if (one.verdict == Verdict::fail) cases.insert(one.id);
        if (one.verdict == Verdict::inconclusive) unclear.insert(one.id);
      }
      fmt::print("{} {} [{}]\n   rules:", cases.empty() ? "UNCAUGHT" : "caught  ", deviation.name,
                 role == Role::responder ? "server" : "client");
      for (const auto& [id, times] : rules) {
        fmt::print(" {}x{}", id.substr(9), times);
        failed_rules.insert(id);
      }
      for (const auto& [id, times] : warned) fmt::print(" warned:{}x{}", id.substr(9), times);
      fmt::print("\n   cases({}):", cases.size());
      unsigned shown = 0;
      for (const auto& id : cases)
        if (shown++ < 4) fmt::print(" {}", id);
      fmt::print("\n   inconclusive: {}\n", unclear.size());
    }
  }
  for (const SectionCases& section : all_sections())
    for (const Rule* rule : section.rules)
      if (!failed_rules.contains(rule->id)) fmt::print("NO DEVIATION FAILS {}\n", rule->id);
}

}  // namespace
}  // namespace wirelaw::ramcloud
