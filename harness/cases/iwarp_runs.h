// SPDX-License-Identifier: Apache-2.0
// For tests of iWARP's cases: runs against the reference peers in memory, as they are set up, and the breaches of the
// rules (conformance/breach.h) as rows of tests.
#pragma once

#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/rdmap/cases.h"
#include "conformance/rdmap/rdmap.h"
#include "harness/cases/breach_walk.h"
#include "harness/memory_run.h"
#include "reference/rdmap/deviations.h"

namespace wirelaw::rdmap {

inline constexpr Role kRoles[] = {Role::responder, Role::initiator};
inline std::string_view name_of(Role role) {
  return role == Role::responder ? "responder" : "initiator";
}

// --- how a peer is set up, and what is declared about it
struct PeerSetup {
  std::string_view name;  // as Breach::Where::given has it; empty: as usual
  std::string_view setting = {}, feature = {};
};
// The tester speaks the wire, and the peer has an application.
inline constexpr PeerSetup kWireSetups[] = {
    {""},
    {"rfc7306", "", "rfc7306"},
    {"no-crc", "no-crc"},
    {"markers", "markers"},
    {"needs-reads", "needs-reads"},
    {"extended", "extended", "rfc7306"},
};

inline RunOutcome run_wire(Role iut, const PeerSetup& setup, std::vector<std::string> deviations, Selection selection) {
  RunOptions options{.iut = iut,
                     .selection = std::move(selection),
                     .application = Service::count,
                     .parameters = {{"receive", "65536"}},
                     .limits = {.deadline = std::chrono::minutes{10}}};
  if (!setup.feature.empty()) options.features.emplace_back(setup.feature);
  MemoryRun memory{.deviations = std::move(deviations)};
  if (!setup.setting.empty()) memory.settings.emplace_back(setup.setting);
  return run_in_memory(kProtocol, options, memory).value();
}

// A consumer of verbs is above the peer.
struct DrivenRun {
  bool extensions = true;
  bool pair = false;  // a consumer at the far end
  std::vector<std::string> deviations = {};
  std::vector<std::string> settings = {"verbs"};
};
inline RunOutcome run_driven(Role iut, const DrivenRun& what, Selection selection) {
  RunOptions options{.iut = iut, .selection = std::move(selection)};
  if (what.extensions) options.features.emplace_back("rfc7306");
  // Octets that are sent together arrive together.
  return run_in_memory(kProtocol, options,
                       {.deviations = what.deviations,
                        .settings = what.settings,
                        .network_faults = {.cut = std::size_t{1} << 20},
                        .pair = what.pair})
      .value();
}

// Cases that end in anything but these verdicts, and all findings.
inline std::vector<std::string> complaints(const RunOutcome& outcome, std::initializer_list<Verdict> allowed) {
  std::vector<std::string> list;
  for (const CaseResult& one : outcome.results.cases)
    if (std::ranges::find(allowed, one.verdict) == allowed.end())
      list.push_back(fmt::format("{}: {}: {}", one.id, to_string(one.verdict), one.reason));
  for (const Finding& one : outcome.results.findings) list.push_back(to_text(one));
  return list;
}
inline std::vector<std::string> complaints(const RunOutcome& outcome) {
  return complaints(outcome, {Verdict::pass});
}

// --- breaches

// A breach by a peer in one role, set up in one way.
struct BreachRow {
  const Breach* breach;
  Role role;
  std::string_view given;

  const Rule& rule() const { return *breach->rule; }
  std::string_view deviation() const { return describe(static_cast<Deviation>(breach->deviation)).name; }
  bool is_reported_by(const RunOutcome& outcome) const {
    return std::ranges::any_of(outcome.results.findings, [this](const Finding& one) {
      return one.rule == breach->rule && one.severity == breach->where.severity;
    });
  }
};
inline void PrintTo(const BreachRow& row, std::ostream* out) {
  *out << row.rule().id << " by " << row.deviation() << " of the " << name_of(row.role);
}
inline std::string test_name_of(const BreachRow& row) {
  return test_name(fmt::format("{}_by_{}_of_{}_{}", row.rule().id, row.deviation(), name_of(row.role),
                               row.given.empty() ? "usual" : row.given));
}

inline bool can_commit(unsigned deviation, Role role) {
  return includes(describe(static_cast<Deviation>(deviation)).role, role);
}
inline bool is_of(const Breach& breach, Role role) {
  return can_commit(breach.deviation, role) && includes(breach.rule->subject, role) && includes(breach.where.who, role);
}
// Returns the words of Breach::Where::given; one empty word if there are none.
inline std::vector<std::string_view> circumstances(const Breach& breach) {
  std::vector<std::string_view> words;
  std::string_view rest = breach.where.given;
  for (;;) {
    const std::size_t blank = rest.find(' ');
    words.push_back(rest.substr(0, blank));
    if (blank == std::string_view::npos) return words;
    rest.remove_prefix(blank + 1);
  }
}

inline std::vector<BreachRow> breach_rows() {
  std::vector<BreachRow> rows;
  for (const BreachList list : breaches())
    for (const Breach& breach : list)
      for (const auto role : kRoles)
        if (is_of(breach, role))
          for (const std::string_view given : circumstances(breach)) rows.push_back({&breach, role, given});
  return rows;
}
// True if a case of "verbs/*" or "pair/*", according to `given`, judges the rule; otherwise an observer judges it.
inline bool a_case_judges(const BreachRow& row) {
  return std::ranges::any_of(suite().cases(), [&](const Case& one) {
    return matches_glob(fmt::format("{}/*", row.given), one.id) &&
           std::ranges::find(one.rules, row.breach->rule) != one.rules.end();
  });
}
// For runs with consumers: the breaches that their cases judge.
inline std::vector<BreachRow> driven_rows(std::string_view given) {
  std::vector<BreachRow> rows = breach_rows();
  std::erase_if(rows, [given](const BreachRow& row) { return row.given != given || !a_case_judges(row); });
  return rows;
}

// --- cases with a consumer: all but the list of breaches is the same for verbs/* and pair/*
inline RunOutcome run_breach(const BreachRow& row, Selection selection) {
  return run_driven(row.role, {.pair = row.given == "pair", .deviations = {std::string(row.deviation())}},
                    std::move(selection));
}

// Expects a report of the breach if a case of the role judges the rule. (Some breaches exist in one role alone.)
inline void expect_reported(const BreachRow& row) {
  const Selection selection{.cases = {fmt::format("{}/*", row.given)}, .rules = {std::string(row.rule().id)}};
  if (select_cases(kProtocol, row.role, selection).empty()) return;
  const RunOutcome outcome = run_breach(row, selection);
  EXPECT_TRUE(row.is_reported_by(outcome)) << fmt::format("{}", fmt::join(complaints(outcome), "\n"));
}

// Each of these cases fails for a breach of one of its rules.
inline void expect_each_case_to_fail(std::string_view given) {
  const auto rows = driven_rows(given);
  for (const Case& one : kProtocol.cases()) {
    if (!matches_glob(fmt::format("{}/*", given), one.id)) continue;
    const bool fails = std::ranges::any_of(rows, [&](const BreachRow& row) {
      if (row.role != one.iut || std::ranges::find(one.rules, row.breach->rule) == one.rules.end()) return false;
      return run_breach(row, {.cases = {std::string(one.id)}}).results.cases.front().verdict == Verdict::fail;
    });
    EXPECT_TRUE(fails) << one.id << " fails for no breach of its rules";
  }
}

}  // namespace wirelaw::rdmap
