// SPDX-License-Identifier: Apache-2.0
// The cases about Terminates, the end of a stream, and RFC 7306, against reference peers with an echo application. The
// honest peers pass each case. rdmap_cases_test.cc tests which deviations fail which rules.
#include "conformance/rdmap/rdmap/terminate_cases.h"

#include <gmock/gmock.h>

#include "harness/cases/iwarp_runs.h"

namespace wirelaw::rdmap {
namespace {

using testing::IsEmpty;

std::vector<std::string> our_cases() {
  std::vector<std::string> ids;
  for (const std::vector<Case>& section : {terminate_header_cases(), terminate_message_cases(), teardown_cases(),
                                           error_cases(), error_surfacing_cases(), extension_cases(), security_cases()})
    for (const Case& one : section) ids.emplace_back(one.id);
  return ids;
}

struct Peer {
  Role role;
  bool extensions;
};
std::vector<Peer> peers() {
  std::vector<Peer> all;
  for (const auto role : kRoles)
    for (const bool extensions : {false, true}) all.push_back({role, extensions});
  return all;
}
class HonestPeer : public testing::TestWithParam<Peer> {};
INSTANTIATE_TEST_SUITE_P(Roles, HonestPeer, testing::ValuesIn(peers()), [](const auto& peer) {
  return fmt::format("{}{}", name_of(peer.param.role), peer.param.extensions ? "_with_extensions" : "");
});

RunOutcome run(const Peer& peer) {
  RunOptions options{
      .iut = peer.role, .selection = {.cases = our_cases(), .rules = {"*"}}, .application = Service::echo};
  if (peer.extensions) options.features = {"rfc7306"};
  return run_in_memory(kProtocol, options).value();
}

TEST_P(HonestPeer, PassesEveryCaseWithoutAFinding) {
  EXPECT_THAT(complaints(run(GetParam()), {Verdict::pass, Verdict::skipped}), IsEmpty());
}

// Only cases that need the other setting are skipped.
TEST_P(HonestPeer, SkipsNothingForWantOfABuffer) {
  for (const CaseResult& one : run(GetParam()).results.cases)
    if (one.verdict == Verdict::skipped) {
      EXPECT_THAT(one.reason, testing::HasSubstr("RFC 7306")) << one.id;
    }
}

}  // namespace
}  // namespace wirelaw::rdmap
