// SPDX-License-Identifier: Apache-2.0
// For tests of the cases that drive the IUT through verbs: runs against the reference endpoint as a device in memory.
#pragma once

#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/rdmap/rdmap.h"
#include "harness/memory_run.h"

namespace wirelaw::rdmap {

inline constexpr wirelaw::Role kRoles[] = {wirelaw::Role::responder, wirelaw::Role::initiator};

struct DrivenRun {
  bool extensions = true;
  bool pair = false;  // a consumer at the far end
  std::vector<std::string> deviations = {};
  std::vector<std::string> settings = {"verbs"};
};

inline RunOutcome run_driven(wirelaw::Role iut, const DrivenRun& what, Selection selection) {
  RunOptions options{.iut = iut, .selection = std::move(selection)};
  if (what.extensions) options.features.emplace_back("rfc7306");
  // What is sent at once arrives at once.
  return run_in_memory(kProtocol, options,
                       {.deviations = what.deviations,
                        .settings = what.settings,
                        .impairments = {.cut = std::size_t{1} << 20},
                        .pair = what.pair})
      .value();
}

inline std::vector<std::string> complaints(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict != Verdict::pass)
      list.push_back(fmt::format("{}: {}: {}", one.id, to_string(one.verdict), one.reason));
  for (const Finding& one : outcome.results.findings)
    list.push_back(fmt::format("{}: expected {}, got {}: {}", one.rule->id, one.expected, one.actual, one.explanation));
  return list;
}

// A rule, and a fault that it tells.
struct Told {
  std::string_view rule, deviation;
};

inline void PrintTo(const Told& told, std::ostream* out) {
  *out << told.rule << " by " << told.deviation;
}

inline std::string name_of(const Told& told) {
  std::string name = fmt::format("{}_by_{}", told.rule, told.deviation);
  std::ranges::replace_if(
      name, [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

// In whichever role there is a case of the rule among these, its fault is found.
inline void expect_told(const Told& told, std::string_view cases, bool pair) {
  const Selection selection{.cases = {std::string(cases)}, .rules = {std::string(told.rule)}};
  std::size_t roles = 0;
  for (const auto role : kRoles) {
    if (select_cases(kProtocol, role, selection).empty()) continue;
    ++roles;
    const RunOutcome outcome = run_driven(role, {.pair = pair, .deviations = {std::string(told.deviation)}}, selection);
    EXPECT_TRUE(std::ranges::any_of(outcome.results.findings, [&](const Finding& one) {
      return one.rule->id == told.rule;
    })) << fmt::format("{}", fmt::join(complaints(outcome), "\n"));
  }
  EXPECT_GT(roles, 0u);
}

// Each of these cases fails by one of the faults.
inline void expect_each_told_of(std::string_view cases, bool pair, std::span<const Told> faults) {
  for (const Case& one : kProtocol.cases()) {
    if (!matches_glob(cases, one.id)) continue;
    const bool told = std::ranges::any_of(faults, [&](const Told& fault) {
      if (std::ranges::none_of(one.rules, [&](const Rule* rule) { return rule->id == fault.rule; })) return false;
      const RunOutcome outcome = run_driven(one.iut, {.pair = pair, .deviations = {std::string(fault.deviation)}},
                                            {.cases = {std::string(one.id)}});
      return outcome.results.cases.front().verdict == Verdict::fail;
    });
    EXPECT_TRUE(told) << one.id;
  }
}

}  // namespace wirelaw::rdmap
