// SPDX-License-Identifier: Apache-2.0
// The cases of MPA against the reference peers as they may be set up: the honest ones pass each. Which deviations fail
// which rules is in rdmap_cases_test.cc.
#include <gmock/gmock.h>

#include <algorithm>

#include "harness/cases/iwarp_runs.h"

namespace wirelaw::rdmap {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// The cases of MPA that judge a rule, or all of them.
RunOutcome run(Role iut, std::string_view setting, const std::string& rule = "*") {
  const RunOptions options{.iut = iut,
                           .selection = {.cases = {"mpa/*"}, .rules = {rule}},
                           .application = Service::echo,
                           .limits = {.deadline = std::chrono::minutes{10}}};
  MemoryRun memory;
  if (!setting.empty()) memory.settings = {std::string(setting)};
  return run_in_memory(kProtocol, options, memory).value();
}

struct Honest {
  Role role;
  std::string_view setting;
};
std::vector<Honest> honest_peers() {
  std::vector<Honest> all;
  for (const std::string_view setting : {"", "markers", "unenhanced"})
    for (const auto role : kRoles) all.push_back({role, setting});
  return all;
}
class HonestPeer : public testing::TestWithParam<Honest> {};
INSTANTIATE_TEST_SUITE_P(Roles, HonestPeer, testing::ValuesIn(honest_peers()), [](const auto& honest) {
  return fmt::format("{}_{}", name_of(honest.param.role),
                     honest.param.setting.empty() ? "as_usual" : honest.param.setting);
});

TEST_P(HonestPeer, PassesEveryCaseOfMpaWithoutAFinding) {
  const RunOutcome outcome = run(GetParam().role, GetParam().setting);
  EXPECT_THAT(complaints(outcome, {Verdict::pass, Verdict::skipped}), IsEmpty());
}

// A setting of the peer, which is no deviation.
TEST(PeersWithoutCrcs, AreWarnedOf) {
  for (const auto role : kRoles) {
    const RunOutcome outcome = run(role, "no-crc", "MPA-4.4-2");
    EXPECT_THAT(findings(outcome), Contains(HasSubstr("MPA-4.4-2")));
    for (const Finding& one : outcome.results.findings) EXPECT_EQ(one.severity, Severity::warning);
  }
}

}  // namespace
}  // namespace wirelaw::rdmap
