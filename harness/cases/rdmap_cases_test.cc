// SPDX-License-Identifier: Apache-2.0
// All cases of iWARP against the reference peers: the honest one passes each, and every breach that is listed with a
// rule is reported.
#include <gmock/gmock.h>

#include <algorithm>

#include "harness/cases/iwarp_runs.h"
#include "harness/peers/reference_peers.h"

namespace wirelaw::rdmap {
namespace {

using testing::IsEmpty;

const Selection kWire{.cases = {"rdmap/*", "rdmapx/*", "ddp/*", "mpa/*"}};

// --- honest peers

struct Honest {
  Role role;
  PeerSetup setup;
};
void PrintTo(const Honest& peer, std::ostream* out) {
  *out << peer.setup.name;
}
std::vector<Honest> honest_peers() {
  std::vector<Honest> all;
  for (const PeerSetup& setup : kWireSetups)
    for (const auto role : kRoles) all.push_back({role, setup});
  return all;
}

class EachPeer : public testing::TestWithParam<Honest> {};
INSTANTIATE_TEST_SUITE_P(Honest, EachPeer, testing::ValuesIn(honest_peers()), [](const auto& peer) {
  std::string name = fmt::format("{}_{}", name_of(peer.param.role),
                                 peer.param.setup.name.empty() ? "as_usual" : peer.param.setup.name);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(EachPeer, ThatIsHonestPassesEveryCaseWithoutAFinding) {
  const auto& [role, setup] = GetParam();
  RunOutcome outcome = run_wire(role, setup, {}, kWire);
  EXPECT_GT(outcome.results.cases.size(), 35u);
  // The setting itself is warned of: the default must be to use CRCs.
  if (setup.setting == "no-crc")
    std::erase_if(outcome.results.findings, [](const Finding& one) { return one.rule->id == "MPA-4.4-2"; });
  EXPECT_THAT(complaints(outcome, {Verdict::pass, Verdict::skipped}), IsEmpty());
}

// --- breaches

// The cases that verbs_cases_test.cc and pair_cases_test.cc do not cover.
std::vector<BreachRow> other_rows() {
  std::vector<BreachRow> rows = breach_rows();
  std::erase_if(rows, [](const BreachRow& row) {
    return std::ranges::find(kWireSetups, row.given, &PeerSetup::name) == std::end(kWireSetups) && a_case_judges(row);
  });
  return rows;
}

class EachBreach : public testing::TestWithParam<BreachRow> {};
INSTANTIATE_TEST_SUITE_P(Of, EachBreach, testing::ValuesIn(walked(other_rows())),
                         [](const auto& row) { return test_name_of(row.param); });

// Runs the cases that judge the rule first; what the observer sees shows in others too.
TEST_P(EachBreach, IsReported) {
  const BreachRow& row = GetParam();
  const auto setup = std::ranges::find(kWireSetups, row.given, &PeerSetup::name);
  const bool driven = setup == std::end(kWireSetups);
  const Selection all = driven ? Selection{.cases = {fmt::format("{}/*", row.given)}} : kWire;
  std::vector<const Case*> cases = select_cases(kProtocol, row.role, all);
  // The version in std::ranges does not compile with clang 14.
  std::stable_partition(cases.begin(), cases.end(), [&](const Case* one) {
    return std::ranges::find(one->rules, row.breach->rule) != one->rules.end();
  });
  EXPECT_TRUE(std::ranges::any_of(cases, [&](const Case* one) {
    const Selection selection{.cases = {std::string(one->id)}};
    return row.is_reported_by(driven ? run_breach(row, selection)
                                     : run_wire(row.role, *setup, {std::string(row.deviation())}, selection));
  })) << "no case reports it";
}

// Deviations that no case reports, and why.
struct Unreported {
  std::string_view deviation, why;
  Role role = Role::any;
};
constexpr Unreported kUnreported[] = {
    {"accepts-marker",
     "markers need not be looked at (RFC 5044, 5.2), so that no answer to a wrong one is wrong (RDMAP/A-33)"},
    {"ulpdu-above-mulpdu", "MULPDU follows from the segment size of TCP: a network in memory has none"},
    {"terminate-read-not-updated",
     "wants an STag that goes away while a Read is half answered: in memory an answer leaves as a whole"},
    {"accepts-response-size", "the application of the responder starts nothing: it writes nowhere, and reads nothing",
     Role::responder},
};

struct Deviating {
  std::string name;
  Role role;
};
void PrintTo(const Deviating& peer, std::ostream* out) {
  *out << peer.name << " of the " << name_of(peer.role);
}
std::vector<Deviating> deviating_peers(bool reported) {
  std::vector<Deviating> all;
  for (const DeviationName& one : find_reference_peer("rdmap")->deviations())
    for (const auto role : kRoles) {
      if (!includes(one.role, role)) continue;
      const bool listed = std::ranges::any_of(kUnreported, [&](const Unreported& other) {
        return other.deviation == one.name && includes(other.role, role);
      });
      if (listed != reported) all.push_back({std::string(one.name), role});
    }
  return all;
}

TEST(Deviations, AreEachABreachOfARuleOrListedWithTheirReason) {
  const std::vector<BreachRow> rows = breach_rows();
  for (const Deviating& peer : deviating_peers(true))
    EXPECT_TRUE(std::ranges::any_of(
        rows, [&](const BreachRow& row) { return row.deviation() == peer.name && row.role == peer.role; }))
        << testing::PrintToString(peer) << " breaks no rule";
}

class EachUnreported : public testing::TestWithParam<Deviating> {};
INSTANTIATE_TEST_SUITE_P(Deviations, EachUnreported, testing::ValuesIn(deviating_peers(false)), [](const auto& peer) {
  std::string name = fmt::format("{}_of_{}", peer.param.name, name_of(peer.param.role));
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(EachUnreported, IsReportedByNothing) {
  const auto& [name, role] = GetParam();
  for (const PeerSetup& setup : kWireSetups) {
    RunOutcome outcome = run_wire(role, setup, {name}, kWire);
    if (setup.setting == "no-crc")
      std::erase_if(outcome.results.findings, [](const Finding& one) { return one.rule->id == "MPA-4.4-2"; });
    EXPECT_THAT(complaints(outcome, {Verdict::pass, Verdict::skipped}), IsEmpty())
        << "take it off the list of what is not reported";
  }
  EXPECT_THAT(complaints(run_driven(role, {.deviations = {name}}, {.cases = {"verbs/*"}})), IsEmpty());
}

// --- rules

// The rules that no deviation breaks, and why.
struct Unbroken {
  std::string_view rule, why;
};
constexpr Unbroken kUnbroken[] = {
    {"MPA-4.4-2", "the setting no-crc breaks it: mpa_cases_test.cc"},
    {"RDMAPX-5-2", "no deviation leaves out one of the two operations alone"},
    {"RDMAPX-5.2.1-4", "as RDMAPX-5-2"},
    {"RDMAPX-8.2-4", "who does not validate the alignment answers, which RDMAPX-5.1.1-3 forbids"},
};

TEST(StimulusRules, HaveACaseAndABreach) {
  const std::vector<BreachRow> rows = breach_rows();
  for (const Rule* rule : kProtocol.catalogue().rules()) {
    if (rule->observable != Observable::stimulus) continue;
    EXPECT_TRUE(std::ranges::any_of(
        suite().cases(), [&](const Case& one) { return std::ranges::find(one.rules, rule) != one.rules.end(); }))
        << rule->id << " has no case";
    const bool unbroken = std::ranges::find(kUnbroken, rule->id, &Unbroken::rule) != std::end(kUnbroken);
    EXPECT_NE(std::ranges::any_of(rows, [&](const BreachRow& row) { return row.breach->rule == rule; }), unbroken)
        << rule->id << " has no breach, or is listed as one without";
  }
}

}  // namespace
}  // namespace wirelaw::rdmap
