// SPDX-License-Identifier: Apache-2.0
#include "harness/conclusions.h"

#include <fmt/format.h>

#include <algorithm>

namespace wirelaw {
namespace {

constexpr std::string_view kCaseEnds;

}  // namespace

bool is_proved_by_octets(const Finding& finding) {
  return finding.rule->observable == Observable::trace && finding.evidence == Evidence::octets && finding.length > 0;
}

void end_case(ConsumerAccount& account, std::size_t findings) {
  account.push_back({findings, std::string(kCaseEnds)});
}

void join_account(std::vector<Finding>& findings, const ConsumerAccount& account) {
  constexpr unsigned kSaid = 2;  // number of calls, from the latest back
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].rule->observable != Observable::trace) continue;
    auto note = std::ranges::upper_bound(account, i, {}, &ConsumerNote::findings);
    std::string said;
    for (unsigned n = 0; n < kSaid && note != account.begin() && (--note)->what != kCaseEnds; ++n)
      said = note->what + (said.empty() ? "" : "; ") + said;
    if (said.empty()) continue;
    std::string& explanation = findings[i].explanation;
    explanation += fmt::format("{}at the consumer, latest: {}", explanation.empty() ? "" : "; ", said);
  }
}

void discount(Results& results, std::vector<SharedFinding>& found, std::span<const std::size_t> findings_until) {
  constexpr std::string_view kWhy = "the peer has sent no message of the protocol that it was not sent itself";
  for (std::size_t i = 0; i < results.cases.size(); ++i) {
    CaseResult& one = results.cases[i];
    const std::span findings = std::span(results.findings).first(std::min(findings_until[i], results.findings.size()));
    const bool proved =
        std::ranges::any_of(findings.subspan(i == 0 ? 0 : std::min(findings_until[i - 1], findings.size())),
                            [](const Finding& finding) { return is_proved_by_octets(finding); });
    if (one.verdict != Verdict::pass && (one.verdict != Verdict::fail || proved)) continue;
    one.reason = one.reason.empty() ? std::string(kWhy) : fmt::format("{}: {}", kWhy, one.reason);
    one.verdict = Verdict::inconclusive;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (is_proved_by_octets(results.findings[i])) found[kept++] = found[i];
  found.resize(kept);
  std::erase_if(results.findings, [](const Finding& one) { return !is_proved_by_octets(one); });
  for (RuleResult& one : results.rules) {
    const bool concluded =
        one.verdict == Verdict::pass || one.verdict == Verdict::warned || one.verdict == Verdict::fail;
    if (!concluded || (one.verdict == Verdict::fail && std::ranges::count(results.findings, one.rule, &Finding::rule)))
      continue;
    one = {
        .rule = one.rule, .verdict = Verdict::inconclusive, .inconclusive = one.exercised, .reason = std::string(kWhy)};
  }
}

}  // namespace wirelaw
