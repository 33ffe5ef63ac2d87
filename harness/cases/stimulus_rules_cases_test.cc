// SPDX-License-Identifier: Apache-2.0
// A rule that takes a stimulus can fail: a case names it, and a deviation of the reference peer breaks it in the role
// that the case tests. That the case then reports the rule is proven by each protocol's own tests of cases.
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "conformance/protocol.h"
#include "harness/cases/breach_walk.h"
#include "harness/peers/breaches.h"

namespace wirelaw {
namespace {

struct Exception {
  std::string_view rule;
  std::string_view reason;
};
constexpr Exception kUnbroken[] = {
    {"MPA-4.4-2", "the setting no-crc breaks it: mpa_cases_test.cc"},
    {"RDMAPX-5-2", "no deviation leaves out one of the two operations alone"},
    {"RDMAPX-5.2.1-4", "as RDMAPX-5-2"},
    {"RDMAPX-8.2-4", "who does not validate the alignment answers, which RDMAPX-5.1.1-3 forbids"},
    {"EFA-4.1-9", "an application breaks it: efa_cases_test.cc"},
    {"EFA-4.1-11", "an application breaks it: efa_cases_test.cc"},
    {"EFA-4.5-17", "an application breaks it: efa_cases_test.cc"},
    {"SMBD-3.1.7.2-5", "a connection that is not accepted leaves nothing to judge (A46)"},
};
// Mandatory rules of which a violation is a warning at most, because a ruling or the text leaves another explanation.
constexpr Exception kWarned[] = {
    {"RDMAP-4.8-8", "RDMAP/A-43"},
    {"RDMAP-6.1-7", "RDMAP/A-19"},
    {"RDMAP-7-4", "the IUT may wait for the other side to close the connection"},
    {"RDMAP-7.2-9", "RDMAP/A-67"},
    {"RDMAPX-8.1-3", "RDMAP/A-36"},
    {"RDMASEC-6.1.1-2", "RDMAP/A-02"},
    {"SMBD-2.2.3-1", "SMBD/A37: the target is a local value that may change"},
    {"SMBD-3.1.2-1", "ending the connection when the timer expires is a SHOULD (3.1.6.1, 3.1.6.2)"},
    {"EFA-3.2-223", "a device doubles nothing"},
    {"EFA-3.2-253", "the document does not require a receiver to check whether it has assigned a recv_id"},
    {"EFA-3.2-255", "the document does not require a receiver to check who has sent data for its recv_id"},
    {"EFA-3.2-262", "a device doubles nothing"},
    {"RAMCLOUD-old-2", "RAMCLOUD/R23"},
    {"RAMCLOUD-old-11", "RAMCLOUD/R23"},
    {"RAMCLOUD-old-15", "RAMCLOUD/R23"},
    {"UMSP-5.7.1-10", "a period of 0 may be what the JCP has set: TASK_REG has it for a node that is not checked"},
};

bool is_listed(std::span<const Exception> list, const Rule& rule) {
  return std::ranges::find(list, rule.id, &Exception::rule) != list.end();
}

// The most severe report of a case that names the rule.
std::optional<Severity> worst_report(const BreachWalk& walk, const Protocol& protocol, const Rule& rule) {
  std::optional<Severity> worst;
  for (const Breach& breach : walk.breaches()) {
    const auto decides = [&](const Case& one) {
      return std::ranges::count(one.rules, &rule) > 0 && walk.applies(breach, one.iut);
    };
    if (breach.rule != &rule || !std::ranges::any_of(protocol.cases(), decides)) continue;
    if (worst != Severity::violation) worst = breach.where.severity;
  }
  return worst;
}

class StimulusRules : public testing::TestWithParam<const Protocol*> {};
INSTANTIATE_TEST_SUITE_P(Protocols, StimulusRules, testing::ValuesIn(protocols()),
                         [](const auto& one) { return std::string(one.param->name); });

TEST_P(StimulusRules, AreEachBrokenByADeviationThatACaseSees) {
  const Protocol& protocol = *GetParam();
  const ReferencePeer* const peer = find_reference_peer(protocol.name);
  ASSERT_NE(peer, nullptr);
  const BreachWalk walk(peer->deviations(), breaches_of(protocol.name));
  for (const Rule* const rule : protocol.catalogue().rules()) {
    if (rule->observable != Observable::stimulus) continue;
    const auto worst = worst_report(walk, protocol, *rule);
    EXPECT_NE(worst.has_value(), is_listed(kUnbroken, *rule)) << rule->id << ": " << rule->summary;
    if (!worst || !is_mandatory(rule->level)) continue;
    EXPECT_NE(worst == Severity::violation, is_listed(kWarned, *rule)) << rule->id << " does not fail";
  }
}

}  // namespace
}  // namespace wirelaw
