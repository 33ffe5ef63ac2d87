// SPDX-License-Identifier: Apache-2.0
// All cases of EFA RDM against the reference peers: the honest one passes each, and each deliberate fault is told by
// some rule.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "conformance/efa/cases.h"
#include "conformance/efa/efa.h"
#include "harness/memory_run.h"
#include "harness/reference_peers.h"
#include "reference/efa/offered_region.h"

namespace wirelaw::efa {
namespace {

using testing::IsEmpty;

const IutParameters kRegion{{"addr", fmt::format("0x{:x}", kOfferedRegion.addr)},
                            {"key", fmt::format("0x{:x}", kOfferedRegion.key)},
                            {"length", fmt::format("{}", kOfferedRegion.len)}};

RunOutcome run(wirelaw::Role iut, const MemoryRun& memory) {
  const RunOptions options{
      .iut = iut, .application = Application::echo, .parameters = kRegion, .features = {"rdma_read", "rdma_write"}};
  return run_in_memory(kProtocol, options, memory).value();
}

std::vector<std::string> complaints(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict != Verdict::pass && one.verdict != Verdict::skipped)
      list.push_back(fmt::format("{}: {}: {}", one.id, to_string(one.verdict), one.reason));
  for (const Finding& one : outcome.results.findings)
    list.push_back(fmt::format("{}: expected {}, got {}: {}", one.rule->id, one.expected, one.actual, one.explanation));
  return list;
}

std::string_view name_of(wirelaw::Role role) {
  return role == wirelaw::Role::responder ? "responder" : "requester";
}

class EachRole : public testing::TestWithParam<wirelaw::Role> {};
INSTANTIATE_TEST_SUITE_P(Roles, EachRole, testing::Values(wirelaw::Role::responder, wirelaw::Role::initiator),
                         [](const auto& role) { return std::string(name_of(role.param)); });

TEST_P(EachRole, OfAnHonestPeerPassesEveryCaseWithoutAFinding) {
  const RunOutcome outcome = run(GetParam(), {});
  EXPECT_GT(outcome.results.cases.size(), 20u);
  EXPECT_THAT(complaints(outcome), IsEmpty());
}

}  // namespace
}  // namespace wirelaw::efa
