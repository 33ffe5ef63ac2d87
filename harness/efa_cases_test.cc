// SPDX-License-Identifier: Apache-2.0
// All cases of EFA RDM against the reference peers: the honest one passes each, and each deliberate fault is told by
// some rule.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "conformance/efa/cases.h"
#include "conformance/efa/efa.h"
#include "harness/memory_run.h"
#include "harness/reference_peers.h"
#include "reference/efa/offered_region.h"

namespace wirelaw::efa {
namespace {

using testing::IsEmpty;

// Surroundings in which a fault may show.
struct Scene {
  std::string_view name;
  std::vector<std::string> settings = {};  // of the reference peer
  std::vector<std::string> features = {"rdma_read", "rdma_write"};
  IutParameters parameters = {};
  std::vector<std::string> cases = {};  // all of them where none is named
};
const Scene kScenes[] = {
    {"plain"},
    {"constant header", {}, {"constant_header_length"}},
    {"no registrations", {"no-registrations"}},
    {"near the last msg_id", {}, {}, {{"msg_id", "0xfffffffc"}}, {"msg-id/*wraps"}},
};

RunOutcome run(wirelaw::Role iut, const Scene& scene, const Selection& selection,
               std::vector<std::string> deviations = {}) {
  const RunOptions options{
      .iut = iut, .selection = selection, .application = Application::echo, .features = scene.features};
  return run_in_memory(
             kProtocol, options,
             {.deviations = std::move(deviations), .settings = scene.settings, .parameters = scene.parameters})
      .value();
}

RunOutcome run(wirelaw::Role iut, const Scene& scene) {
  return run(iut, scene, {.cases = scene.cases});
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

constexpr wirelaw::Role kRoles[] = {wirelaw::Role::responder, wirelaw::Role::initiator};

TEST(HonestPeer, PassesEveryCaseWithoutAFinding) {
  for (const wirelaw::Role role : kRoles) {
    for (const Scene& scene : kScenes) {
      SCOPED_TRACE(fmt::format("{}, {}", name_of(role), scene.name));
      const RunOutcome outcome = run(role, scene);
      EXPECT_GT(outcome.results.cases.size(), scene.cases.empty() ? 50u : 0u);
      EXPECT_THAT(complaints(outcome), IsEmpty());
    }
  }
}

// Cases that need what a requester was told: its first msg_id, its peer's memory. These runs do not say it.
constexpr std::string_view kUntried[] = {"msg-id/requester-wraps", "walk/memory-that-it-was-told"};

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
    for (const std::string_view one : kUntried)
      EXPECT_EQ(skipped.erase(std::string(one)) > 0, role == wirelaw::Role::initiator) << one;
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

// Faults that no run here tells.
constexpr std::string_view kUntold[] = {
    // The reference sends no host_id unless it is told one, and has no setting for it.
    "requester/handshake-blocks-swapped",
    "responder/handshake-blocks-swapped",
    // The application has a receive for every message before it comes.
    "responder/receipt-early",
    "responder/tag-ignored",
    "responder/unexpected-lost",
    // A case has sent all RUNTREAD packets before the IUT has read the first.
    "responder/nack-early",
    // The responder's own requests come within the grace that EFA-4.4-4 leaves it.
    "responder/connid-not-sent",
    // The case that wraps is content with what comes of it: open.
    "responder/wrap-not-tolerated",
    // Need the first msg_id, or the memory, that the requester was told, which these runs do not say to the cases.
    "requester/msg-id-skips-zero",
    "requester/rtw-wrong-key",
    // Need the addresses of a network, which observers have of captures alone.
    "requester/raw-address-wrong-gid",
    "requester/raw-address-wrong-qpn",
};

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
  if (std::ranges::find(kUntold, GetParam().key()) != std::end(kUntold))
    EXPECT_THAT(told, IsEmpty()) << "take it off the list of what is not told";
  else
    EXPECT_FALSE(told.empty());
}

}  // namespace
}  // namespace wirelaw::efa
