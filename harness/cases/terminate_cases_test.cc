// SPDX-License-Identifier: Apache-2.0
// The cases of Terminates, of the end of a stream and of RFC 7306 against the reference peers: the honest ones pass
// each, and each deliberate fault fails, or is warned of by, the rule that it breaks.
#include "conformance/rdmap/terminate_cases.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "conformance/rdmap/cases.h"
#include "conformance/rdmap/rdmap.h"
#include "harness/memory_run.h"
#include "harness/peers/reference_peers.h"

namespace wirelaw::rdmap {
namespace {

using testing::Contains;
using testing::IsEmpty;

constexpr wirelaw::Role kResponder = wirelaw::Role::responder;
constexpr wirelaw::Role kInitiator = wirelaw::Role::initiator;

std::vector<std::string> our_cases() {
  std::vector<std::string> ids;
  for (const SectionCases& section : {terminate_header_cases(), terminate_message_cases(), teardown_cases(),
                                      error_cases(), error_surfacing_cases(), extension_cases(), security_cases()})
    for (const Case& one : section.cases) ids.emplace_back(one.id);
  return ids;
}

RunOutcome run(wirelaw::Role iut, const std::vector<std::string>& deviations, bool extensions,
               const std::vector<std::string>& cases = our_cases()) {
  RunOptions options{.iut = iut, .selection = {.cases = cases, .rules = {"*"}}, .application = Service::echo};
  if (extensions) options.features = {"rfc7306"};
  return run_in_memory(kProtocol, options, {.deviations = deviations}).value();
}

struct Peer {
  wirelaw::Role role;
  bool extensions;
};
class HonestPeer : public testing::TestWithParam<Peer> {};
INSTANTIATE_TEST_SUITE_P(Roles, HonestPeer,
                         testing::Values(Peer{kResponder, false}, Peer{kResponder, true}, Peer{kInitiator, false},
                                         Peer{kInitiator, true}),
                         [](const auto& peer) {
                           return std::string(peer.param.role == kResponder ? "Responder" : "Initiator") +
                                  (peer.param.extensions ? "WithExtensions" : "");
                         });

TEST_P(HonestPeer, PassesEveryCaseWithoutAFinding) {
  const RunOutcome outcome = run(GetParam().role, {}, GetParam().extensions);
  std::vector<std::string> others, findings;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict != Verdict::pass && one.verdict != Verdict::skipped)
      others.push_back(fmt::format("{}: {}: {}", one.id, to_string(one.verdict), one.reason));
  for (const Finding& one : outcome.results.findings)
    findings.push_back(
        fmt::format("{}: expected {}, got {}: {}", one.rule->id, one.expected, one.actual, one.explanation));
  EXPECT_THAT(others, IsEmpty());
  EXPECT_THAT(findings, IsEmpty());
}

// Only what the other setting asks for is skipped.
TEST_P(HonestPeer, SkipsNothingForWantOfABuffer) {
  const RunOutcome outcome = run(GetParam().role, {}, GetParam().extensions);
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict == Verdict::skipped) {
      EXPECT_THAT(one.reason, testing::HasSubstr("RFC 7306")) << one.id;
    }
}

// --- deviations
struct Caught {
  std::string_view deviation, rule;
  bool extensions = false;
};
void PrintTo(const Caught& caught, std::ostream* out) {
  *out << caught.deviation;
}

constexpr Caught kCaught[] = {
    {"terminate-missing", "RDMAP-7.1-4"},
    {"terminate-missing-stays", "RDMAP-7.1-4"},
    {"reset-for-terminate", "RDMAP-7.1-4"},
    {"error-ignored", "RDMAP-7-1"},
    {"terminate-layer-wrong", "RDMAP-4.8-3"},
    {"terminate-type-wrong", "RDMAP-4.8-5"},
    {"terminate-code-wrong", "RDMAP-4.8-6"},
    {"terminate-no-headers", "RDMAP-7.1-5"},
    {"terminate-r-set", "RDMAP-4.8-14"},
    {"terminate-d-clear", "RDMAP-7.1-5"},
    {"terminate-cut", "RDMAP-4.8-11"},
    {"terminate-tail", "RDMAP-7.1-2"},
    {"terminate-reserved-set", "RDMAP-4.8-7"},
    {"terminate-length-wrong", "RDMAP-4.8-10"},
    {"terminate-length-of-payload", "RDMAP-4.8-10"},
    {"terminate-header-altered", "RDMAP-4.8-12"},
    {"terminate-read-missing", "RDMAP-7.1-7"},
    {"terminate-on-send-queue", "RDMAP-4.1-27"},
    {"terminate-twice", "RDMAP-5.4-9"},
    {"terminate-ignored", "RDMAP-7-4"},
    {"sends-after-terminate", "RDMAP-5.4-9"},
    {"stays-open-after-terminate", "RDMAP-7-1"},
    {"goes-silent", "RDMAP-7.1-4"},
    {"dies-of-bad-opcode", "RDMAP-7.1-4"},
    {"never-closes", "RDMAP-6.2-4"},
    {"accepts-foreign-stag", "RDMASEC-6.1.1-2"},
    {"opcode-extension-unasked", "RDMAP-4.1-7"},
    {"extensions-refused", "RDMAPX-5.2.1-18", true},
    {"atomic-identifier-wrong", "RDMAPX-5.2.2-2", true},
    {"atomic-value-wrong", "RDMAPX-5.1.1-6", true},
    {"atomic-not-applied", "RDMAPX-5.1.1-7", true},
    {"atomic-alignment-ignored", "RDMAPX-5.1.1-3", true},
    {"atomic-response-queue-zero", "RDMAPX-4.1-12", true},
    {"accepts-immediate-size", "RDMAPX-6.3-7", true},
};

class EachDeviation : public testing::TestWithParam<Caught> {};
INSTANTIATE_TEST_SUITE_P(Deviations, EachDeviation, testing::ValuesIn(kCaught), [](const auto& caught) {
  std::string name(caught.param.deviation);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(EachDeviation, IsFoundInEitherRole) {
  const Caught& caught = GetParam();
  std::set<std::string> rules;
  for (const wirelaw::Role role : {kResponder, kInitiator})
    for (const Finding& one : run(role, {std::string(caught.deviation)}, caught.extensions).results.findings)
      rules.emplace(one.rule->id);
  EXPECT_THAT(rules, Contains(std::string(caught.rule)));
}

}  // namespace
}  // namespace wirelaw::rdmap
