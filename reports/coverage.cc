// SPDX-License-Identifier: Apache-2.0
#include "reports/coverage.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "reports/report.h"
#include "reports/section_link.h"

namespace wirelaw {
namespace {

bool can_be_judged(const RuleResult& one) {
  return one.verdict != Verdict::not_applicable && one.rule->level != Level::obsolete &&
         one.rule->observable != Observable::none;
}

}  // namespace

std::vector<SectionCoverage> coverage_by_section(const Results& results) {
  std::map<std::pair<std::string, std::string>, SectionCoverage> sections;
  std::map<std::string, std::uint64_t> exercised;
  for (std::size_t i = 0; i < results.rules.size(); ++i) {
    const RuleResult& one = results.rules[i];
    if (!can_be_judged(one)) continue;
    const std::string protocol = protocol_of(*one.rule), section = section_head(one.rule->section);
    SectionCoverage& of = sections[{protocol, section}];
    if (of.rules++ == 0) of.protocol = protocol, of.section = section, of.first = i;
    of.pass += one.verdict == Verdict::pass;
    of.fail += one.verdict == Verdict::fail;
    of.open += one.verdict == Verdict::warned || one.verdict == Verdict::inconclusive;
    exercised[protocol] += one.exercised;
  }
  std::vector<SectionCoverage> all;
  for (auto& [key, of] : sections)
    if (exercised[of.protocol] > 0) all.push_back(std::move(of));
  std::ranges::sort(all, {}, &SectionCoverage::first);
  return all;
}

std::set<std::string, std::less<>> protocols_seen(const Results& results) {
  std::set<std::string, std::less<>> seen;
  for (const FlowResult& flow : results.flows)
    for (const std::string& protocol : {flow.protocol, flow.above})
      if (!protocol.empty()) seen.insert(protocol);
  for (const CaseResult& one : results.cases) seen.insert(one.protocol);
  return seen;
}

std::vector<const Finding*> first_violations(const std::vector<Finding>& findings) {
  std::unordered_set<const Rule*> seen;
  std::vector<const Finding*> first;
  for (const Finding& one : findings)
    if (one.severity == Severity::violation && seen.insert(one.rule).second) first.push_back(&one);
  return first;
}

}  // namespace wirelaw
