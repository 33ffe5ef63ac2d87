// SPDX-License-Identifier: Apache-2.0
// All cases of iWARP against the reference peers: the honest one passes each, and each deliberate fault is told by some
// rule. Which rule tells which fault stands in mpa_cases_test.cc and terminate_cases_test.cc for their sections.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "conformance/rdmap/rdmap.h"
#include "harness/memory_run.h"
#include "harness/reference_peers.h"

namespace wirelaw::rdmap {
namespace {

using testing::IsEmpty;

// How a peer is set up, and what is declared of it.
struct PeerSetup {
  std::string_view name, setting, feature;
};
constexpr PeerSetup kSetups[] = {
    {"plain", "", ""},          {"extensions", "", "rfc7306"},      {"no_crc", "no-crc", ""},
    {"markers", "markers", ""}, {"needs_reads", "needs-reads", ""}, {"extended", "extended", "rfc7306"}};

RunOutcome run(wirelaw::Role iut, const PeerSetup& setup, std::vector<std::string> deviations) {
  RunOptions options{.iut = iut, .application = Application::count, .parameters = {{"receive", "65536"}}};
  if (!setup.feature.empty()) options.features.emplace_back(setup.feature);
  MemoryRun memory{.deviations = std::move(deviations)};
  if (!setup.setting.empty()) memory.settings.emplace_back(setup.setting);
  return run_in_memory(kProtocol, options, memory).value();
}

std::vector<std::string> complaints(const RunOutcome& outcome, const PeerSetup& setup) {
  std::vector<std::string> list;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict != Verdict::pass && one.verdict != Verdict::skipped)
      list.push_back(fmt::format("{}: {}: {}", one.id, to_string(one.verdict), one.reason));
  for (const Finding& one : outcome.results.findings) {
    // The setting itself is told, whoever commits what: the default must be to use CRCs.
    if (setup.setting == "no-crc" && one.rule->id == "MPA-4.4-2") continue;
    list.push_back(fmt::format("{}: expected {}, got {}: {}", one.rule->id, one.expected, one.actual, one.explanation));
  }
  return list;
}

struct Honest {
  wirelaw::Role role;
  PeerSetup setup;
};
void PrintTo(const Honest& peer, std::ostream* out) {
  *out << peer.setup.name;
}
std::vector<Honest> honest_peers() {
  std::vector<Honest> all;
  for (const PeerSetup& setup : kSetups)
    for (const auto role : {wirelaw::Role::responder, wirelaw::Role::initiator}) all.push_back({role, setup});
  return all;
}

class EachPeer : public testing::TestWithParam<Honest> {};
INSTANTIATE_TEST_SUITE_P(Honest, EachPeer, testing::ValuesIn(honest_peers()), [](const auto& peer) {
  return fmt::format("{}_{}", peer.param.role == wirelaw::Role::responder ? "responder" : "initiator",
                     peer.param.setup.name);
});

TEST_P(EachPeer, ThatIsHonestPassesEveryCaseWithoutAFinding) {
  const auto& [role, setup] = GetParam();
  const RunOutcome outcome = run(role, setup, {});
  EXPECT_GT(outcome.results.cases.size(), 50u);
  EXPECT_THAT(complaints(outcome, setup), IsEmpty());
}

// Faults that no case tells: those of RFC 7306, which these runs do not declare (terminate_cases_test.cc has them
// told); those that an initiator's application gives no chance to show; and those that no case looks for yet.
constexpr std::string_view kUntold[] = {
    "initiator/accepts-access",
    "initiator/accepts-foreign-stag",
    "initiator/accepts-immediate-size",
    "initiator/accepts-marker",
    "initiator/accepts-read-size",
    "initiator/accepts-too-long",
    "initiator/accepts-without-buffer",
    "initiator/atomic-alignment-ignored",
    "initiator/atomic-identifier-wrong",
    "initiator/atomic-not-applied",
    "initiator/atomic-reserved-set",
    "initiator/atomic-response-queue-zero",
    "initiator/atomic-value-wrong",
    "initiator/buffer-short-by-one",
    "initiator/crc-checked-unasked",
    "initiator/exceeds-ird",
    "initiator/exceeds-ord",
    "initiator/extensions-refused",
    "initiator/immediate-seven-octets",
    "initiator/ird-off-by-one",
    "initiator/last-early",
    "initiator/messages-interleaved",
    "initiator/mo-wrong",
    "initiator/msn-changes",
    "initiator/responses-reordered",
    "initiator/rsvdulp-changes",
    "initiator/stag-changes",
    "initiator/terminate-read-not-updated",
    "initiator/to-wrong",
    "initiator/ulpdu-above-mulpdu",
    "initiator/zero-length-send-not-counted",
    "responder/accepts-immediate-size",
    "responder/accepts-marker",
    "responder/accepts-response-size",
    "responder/atomic-alignment-ignored",
    "responder/atomic-identifier-wrong",
    "responder/atomic-not-applied",
    "responder/atomic-reserved-set",
    "responder/atomic-response-queue-zero",
    "responder/atomic-value-wrong",
    "responder/buffer-short-by-one",
    "responder/crc-checked-unasked",
    "responder/exceeds-ord",
    "responder/extensions-refused",
    "responder/fpdu-after-rejection",
    "responder/immediate-seven-octets",
    "responder/messages-interleaved",
    "responder/read-request-long",
    "responder/read-request-on-send-queue",
    "responder/read-request-short",
    "responder/resets-at-close",
    "responder/terminate-read-not-updated",
    "responder/ulpdu-above-mulpdu",
    "responder/write-untagged",
};

struct Fault {
  std::string name;
  wirelaw::Role role;
};
void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}
std::vector<Fault> faults() {
  std::vector<Fault> all;
  for (const DeviationName& one : find_reference_peer("rdmap")->deviations())
    for (const auto role : {wirelaw::Role::responder, wirelaw::Role::initiator})
      if (one.role == role || one.role == wirelaw::Role::any) all.push_back({std::string(one.name), role});
  return all;
}

class EachFault : public testing::TestWithParam<Fault> {};
INSTANTIATE_TEST_SUITE_P(Faults, EachFault, testing::ValuesIn(faults()), [](const auto& fault) {
  std::string name =
      fault.param.name + (fault.param.role == wirelaw::Role::responder ? "_of_responder" : "_of_initiator");
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(EachFault, IsToldBySomeRule) {
  const auto& [name, role] = GetParam();
  std::vector<std::string> told;
  for (const PeerSetup& setup : kSetups) {
    told = complaints(run(role, setup, {name}), setup);
    if (!told.empty()) break;
  }
  const std::string key = fmt::format("{}/{}", role == wirelaw::Role::responder ? "responder" : "initiator", name);
  if (std::ranges::find(kUntold, key) != std::end(kUntold)) {
    EXPECT_THAT(told, IsEmpty()) << "take it off the list of what is not told";
  } else {
    EXPECT_FALSE(told.empty());
  }
}

}  // namespace
}  // namespace wirelaw::rdmap
