// SPDX-License-Identifier: Apache-2.0
// The cases of MPA against the reference peers: the honest one passes each, and each deliberate fault of MPA fails the
// rule that it breaks.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "conformance/rdmap/cases.h"
#include "conformance/rdmap/rdmap.h"
#include "harness/memory_run.h"
#include "harness/reference_peers.h"

namespace wirelaw::rdmap {
namespace {

using std::chrono::minutes;
using testing::IsEmpty;

constexpr wirelaw::Role kResponder = wirelaw::Role::responder;
constexpr wirelaw::Role kInitiator = wirelaw::Role::initiator;

// The cases of MPA that judge a rule, or all of them.
RunOutcome run(wirelaw::Role iut, const MemoryRun& memory, const std::string& rule = "*") {
  const RunOptions options{.iut = iut,
                           .selection = {.cases = {"mpa/*"}, .rules = {rule}},
                           .application = Application::echo,
                           .limits = {.deadline = minutes{10}}};
  return run_in_memory(kProtocol, options, memory).value();
}

std::vector<std::string> neither_passed_nor_skipped(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict != Verdict::pass && one.verdict != Verdict::skipped)
      list.push_back(fmt::format("{}: {}: {}", one.id, to_string(one.verdict), one.reason));
  return list;
}

std::vector<std::string> findings(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const Finding& one : outcome.results.findings)
    list.push_back(fmt::format("{}: expected {}, got {}: {}", one.rule->id, one.expected, one.actual, one.explanation));
  return list;
}

class HonestPeer : public testing::TestWithParam<wirelaw::Role> {};
INSTANTIATE_TEST_SUITE_P(Roles, HonestPeer, testing::Values(kResponder, kInitiator),
                         [](const auto& role) { return role.param == kResponder ? "Responder" : "Initiator"; });

TEST_P(HonestPeer, PassesEveryCaseOfMpaWithoutAFinding) {
  const RunOutcome outcome = run(GetParam(), {});
  EXPECT_THAT(neither_passed_nor_skipped(outcome), IsEmpty());
  EXPECT_THAT(findings(outcome), IsEmpty());
}

}  // namespace
}  // namespace wirelaw::rdmap
