// SPDX-License-Identifier: Apache-2.0
#include "harness/cases/breach_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

namespace wirelaw {
namespace {

constexpr Role kRoles[] = {Role::responder, Role::initiator};

std::string_view name_of(Role role) {
  return role == Role::responder ? "responder" : "initiator";
}
std::string report_of(const Rule& rule, Severity severity) {
  return fmt::format("{} {}", rule.id, severity == Severity::violation ? "violation" : "warning");
}

}  // namespace

void PrintTo(const DeviationOfRole& fault, std::ostream* out) {
  *out << fault.name << " of the " << name_of(fault.iut);
}
std::string test_name(const DeviationOfRole& fault) {
  return test_name(fmt::format("{}_{}", name_of(fault.iut), fault.name));
}

BreachWalk::BreachWalk(std::vector<DeviationName> deviations, std::span<const BreachList> lists)
    : deviations_(std::move(deviations)) {
  for (const BreachList& section : lists) breaches_.insert(breaches_.end(), section.begin(), section.end());
}

std::vector<DeviationOfRole> BreachWalk::faults() const {
  std::vector<DeviationOfRole> all;
  for (unsigned i = 0; i < deviations_.size(); ++i)
    for (const Role iut : kRoles)
      if (includes(deviations_[i].role, iut)) all.push_back({i, deviations_[i].name, iut});
  return all;
}

bool BreachWalk::applies(const Breach& breach, Role iut) const {
  return includes(deviations_[breach.deviation].role, iut) && includes(breach.where.who, iut) &&
         includes(breach.rule->subject, iut);
}

std::set<std::string> BreachWalk::reports_expected(const DeviationOfRole& fault) const {
  std::set<std::string> reports;
  for (const Breach& breach : breaches_)
    if (breach.deviation == fault.deviation && applies(breach, fault.iut))
      reports.insert(report_of(*breach.rule, breach.where.severity));
  return reports;
}

std::vector<std::string> BreachWalk::impossible() const {
  std::vector<std::string> all;
  for (const Breach& breach : breaches_)
    if (std::ranges::none_of(kRoles, [&](Role iut) { return applies(breach, iut); }))
      all.push_back(fmt::format("{}: {}", name_of(breach), breach.rule->id));
  return all;
}

std::set<std::string> reports_of(const RunOutcome& outcome) {
  std::set<std::string> reports;
  for (const Finding& finding : outcome.results.findings) reports.insert(report_of(*finding.rule, finding.severity));
  return reports;
}

std::vector<std::string> not_passed(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict != Verdict::pass)
      list.push_back(fmt::format("{}: {}: {}", one.id, to_string(one.verdict), one.reason));
  return list;
}

std::string to_text(const Finding& finding) {
  return fmt::format("{}: expected {}, got {}: {}", finding.rule->id, finding.expected, finding.actual,
                     finding.explanation);
}

std::vector<std::string> findings(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const Finding& one : outcome.results.findings) list.push_back(to_text(one));
  return list;
}

bool has_finding(const RunOutcome& outcome, const Rule& rule) {
  return std::ranges::count(outcome.results.findings, &rule, &Finding::rule) > 0;
}

bool is_listed(std::span<const NeverFails> list, const Case& one) {
  return std::ranges::count(list, one.id, &NeverFails::id) > 0;
}

std::vector<Case> walked_cases(std::span<const Case> all) {
  return walked(std::vector<Case>(all.begin(), all.end()));
}

bool reports_some(const BreachWalk& walk, const Case& one, const RunWith& run_with) {
  return std::ranges::any_of(walk.breaches(), [&](const Breach& breach) {
    return std::ranges::count(one.rules, breach.rule) > 0 && walk.applies(breach, one.iut) &&
           has_finding(run_with(one, breach), *breach.rule);
  });
}

std::vector<std::string> without(const std::set<std::string>& these, const std::set<std::string>& those) {
  std::vector<std::string> rest;
  std::ranges::set_difference(these, those, std::back_inserter(rest));
  return rest;
}

std::string test_name(std::string_view text) {
  std::string name(text);
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

}  // namespace wirelaw
