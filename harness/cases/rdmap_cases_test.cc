// SPDX-License-Identifier: Apache-2.0
// All cases of iWARP against the reference peers: the honest one passes each, and each deliberate fault is told by some
// rule. Which rule tells which fault stands in mpa_cases_test.cc and terminate_cases_test.cc for their sections.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "conformance/rdmap/rdmap.h"
#include "harness/memory_run.h"
#include "harness/peers/reference_peers.h"
#include "reference/rdmap/deviations.h"

namespace wirelaw::rdmap {
namespace {

using testing::IsEmpty;

// How a peer is set up, and what is declared of it.
struct PeerSetup {
  std::string_view name, setting, feature;
};
constexpr PeerSetup kSetups[] = {{"plain", "", ""},
                                 {"extensions", "", "rfc7306"},
                                 {"no_crc", "no-crc", ""},
                                 {"markers", "markers", ""},
                                 {"needs_reads", "needs-reads", ""},
                                 {"extended", "extended", "rfc7306"},
                                 {"verbs", "verbs", "rfc7306"}};

// A peer that is driven through verbs has no application: the cases that do so are for it, and it for them alone.
bool is_for(const Case& one, const PeerSetup& setup) {
  return matches_glob("verbs/*", one.id) == (setup.name == "verbs");
}
std::vector<std::string> ids_for(wirelaw::Role iut, const PeerSetup& setup) {
  std::vector<std::string> ids;
  for (const Case* one : select_cases(kProtocol, iut, {}))
    if (is_for(*one, setup)) ids.emplace_back(one->id);
  return ids;
}

RunOutcome run(wirelaw::Role iut, const PeerSetup& setup, std::vector<std::string> deviations,
               const Selection& selection = {}) {
  RunOptions options{
      .iut = iut, .selection = selection, .application = Service::count, .parameters = {{"receive", "65536"}}};
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
  const RunOutcome outcome = run(role, setup, {}, {.cases = ids_for(role, setup)});
  EXPECT_GT(outcome.results.cases.size(), 35u);
  EXPECT_THAT(complaints(outcome, setup), IsEmpty());
}

// Faults that no case tells, and why.
constexpr std::string_view kUntold[] = {
    // Markers need not be looked at (RFC 5044, 5.2), so that no answer to a wrong one is wrong.
    "initiator/accepts-marker",
    "responder/accepts-marker",
    // MULPDU follows from the segment size of TCP: a network in memory has none.
    "initiator/ulpdu-above-mulpdu",
    "responder/ulpdu-above-mulpdu",
    // Wants an STag that goes away while a Read is half answered. In memory an answer leaves as a whole.
    "initiator/terminate-read-not-updated",
    "responder/terminate-read-not-updated",
    // The application of the responder starts nothing: it writes nowhere, and reads nothing.
    "responder/accepts-response-size",
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
  const bool at_verbs = deviation_from_name(name) >= kFirstAtVerbs;
  for (const PeerSetup& setup : kSetups) {
    if (at_verbs && setup.name != "verbs") continue;
    for (const std::string& id : ids_for(role, setup)) {
      told = complaints(run(role, setup, {name}, {.cases = {id}}), setup);
      if (!told.empty()) break;  // one is enough
    }
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
