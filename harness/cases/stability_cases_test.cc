// SPDX-License-Identifier: Apache-2.0
// An honest peer over a network that delays, cuts and reorders: each case has the same verdict for every seed, and the
// peer fails nothing.
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>

#include "conformance/efa/efa.h"
#include "conformance/ramcloud/ramcloud.h"
#include "conformance/rdmap/rdmap.h"
#include "conformance/smbd/smbd.h"
#include "conformance/umsp/umsp.h"
#include "harness/cases/breach_walk.h"
#include "harness/memory_run.h"

namespace wirelaw {
namespace {

using std::chrono::milliseconds;
using testing::IsEmpty;

constexpr unsigned kSeeds = 6;
constexpr NetworkFaults kDatagrams{
    .duplication = 0.05, .reordering = 0.1, .delay_min = milliseconds{1}, .delay_max = milliseconds{20}};
constexpr NetworkFaults kStreams{.cut = 700, .delay_min = milliseconds{1}, .delay_max = milliseconds{20}};
// Below EFA is SRD, which delivers each packet once.
constexpr NetworkFaults kReliableDatagrams{
    .reordering = 0.1, .delay_min = milliseconds{1}, .delay_max = milliseconds{20}};

struct Side {
  const Protocol* protocol = nullptr;
  Role iut = Role::responder;
  Service application = Service::echo;
  NetworkFaults network;
};
const Side kSides[] = {
    {&ramcloud::kProtocol, Role::responder, Service::count, kDatagrams},
    {&ramcloud::kProtocol, Role::initiator, Service::count, kDatagrams},
    {&rdmap::kProtocol, Role::responder, Service::count, kStreams},
    {&rdmap::kProtocol, Role::initiator, Service::count, kStreams},
    {&efa::kProtocol, Role::responder, Service::echo, kReliableDatagrams},
    {&efa::kProtocol, Role::initiator, Service::echo, kReliableDatagrams},
    {&smbd::kProtocol, Role::responder, Service::echo, kStreams},
    {&smbd::kProtocol, Role::initiator, Service::echo, kStreams},
    {&umsp::kProtocol, Role::responder, Service::none, kStreams},
    {&umsp::kProtocol, Role::initiator, Service::none, kStreams},
};

class HonestPeer : public testing::TestWithParam<Side> {};
INSTANTIATE_TEST_SUITE_P(Sides, HonestPeer, testing::ValuesIn(kSides), [](const auto& side) {
  return fmt::format("{}_{}", side.param.protocol->name, side.param.iut == Role::responder ? "responder" : "initiator");
});

RunOutcome run(const Side& side, unsigned seed) {
  const RunOptions options{.iut = side.iut,
                           .selection = {.cases = {"*"}},
                           .application = side.application,
                           .limits = {.deadline = std::chrono::minutes{20}}};
  return run_in_memory(*side.protocol, options, {.network_faults = side.network, .seed = seed}).value();
}

TEST_P(HonestPeer, HasTheSameVerdictsWhateverTheDelays) {
  std::map<std::string, std::set<std::string>> verdicts;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const RunOutcome outcome = run(GetParam(), seed);
    ASSERT_FALSE(outcome.results.cases.empty());
    for (const CaseResult& one : outcome.results.cases) {
      EXPECT_NE(one.verdict, Verdict::fail) << "seed " << seed << ", " << one.id << ": " << one.reason;
      verdicts[std::string(one.id)].insert(fmt::format("{} {}", to_string(one.verdict), one.reason));
    }
    for (const Finding& finding : outcome.results.findings)
      EXPECT_NE(finding.severity, Severity::violation) << "seed " << seed << ", " << finding.rule->id;
  }
  for (const auto& [id, all] : verdicts)
    EXPECT_EQ(all.size(), 1u) << id << ": " << fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace
}  // namespace wirelaw
