// SPDX-License-Identifier: Apache-2.0
// The cases of RAMCloud RPC against the reference peers: the honest one passes each, and each deliberate fault fails
// the rule that it breaks.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "conformance/ramcloud/cases.h"
#include "conformance/ramcloud/ramcloud.h"
#include "harness/memory_run.h"
#include "harness/peers/reference_peers.h"

namespace wirelaw::ramcloud {
namespace {

using std::chrono::minutes;
using testing::IsEmpty;

// The cases that judge a rule, or all of them.
RunOutcome run(Role iut, const MemoryRun& memory, const std::string& rule = "*") {
  const RunOptions options{.iut = iut,
                           .selection = {.rules = {rule}},
                           .application = Service::count,
                           .limits = {.deadline = minutes{10}}};  // a client that never gives up takes its time
  return run_in_memory(kProtocol, options, memory).value();
}

std::vector<std::string> not_passed(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict != Verdict::pass)
      list.push_back(fmt::format("{}: {}: {}", one.id, to_string(one.verdict), one.reason));
  return list;
}

std::vector<std::string> findings(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const Finding& one : outcome.results.findings)
    list.push_back(fmt::format("{}: expected {}, got {}: {}", one.rule->id, one.expected, one.actual, one.explanation));
  return list;
}

class HonestPeer : public testing::TestWithParam<Role> {};
INSTANTIATE_TEST_SUITE_P(Roles, HonestPeer, testing::Values(Role::responder, Role::initiator),
                         [](const auto& role) { return role.param == Role::responder ? "Server" : "Client"; });

TEST_P(HonestPeer, PassesEveryCaseWithoutAFinding) {
  const RunOutcome outcome = run(GetParam(), {});
  EXPECT_THAT(not_passed(outcome), IsEmpty());
  EXPECT_THAT(findings(outcome), IsEmpty());
}

TEST_P(HonestPeer, NeverFailsOnARoughNetwork) {
  constexpr unsigned kSeeds = 100;
  unsigned inconclusive = 0, all = 0;
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    const double rate = 0.05 + 0.05 * seed / kSeeds;
    const RunOutcome outcome =
        run(GetParam(), {.impairments = {.loss = rate, .duplication = rate, .reordering = rate}, .seed = seed});
    for (const CaseResult& one : outcome.results.cases) {
      EXPECT_NE(one.verdict, Verdict::fail) << "seed " << seed << ", " << one.id << ": " << one.reason;
      ++all;
      inconclusive += one.verdict == Verdict::inconclusive ? 1 : 0;
    }
  }
  RecordProperty("inconclusive", fmt::format("{} of {}", inconclusive, all));
}

constexpr Role kServer = Role::responder;
constexpr Role kClient = Role::initiator;

// Which rule tells of a fault. Every deviation of either role stands here, and every rule that needs a stimulus.
struct Told {
  std::string_view deviation;
  Role iut;
  std::string_view rule;  // without its prefix
  // A warning where the text allows another reading (R1), or asks for no more than a SHOULD that may be argued.
  Severity severity = Severity::violation;
};
void PrintTo(const Told& told, std::ostream* out) {
  *out << told.rule << " of " << told.deviation;
}
constexpr Told kTold[] = {
    {"session-open-no-answer", kServer, "session-2"},
    {"open-response-empty", kServer, "openResponse-1"},
    {"open-response-two-octets", kServer, "openResponse-2"},
    {"open-response-direction-clear", kServer, "direction-1"},
    {"open-response-other-client-hint", kServer, "clientSessionHint-2"},
    {"open-response-nibbles-swapped", kServer, "header-3"},
    {"big-endian-header", kServer, "clientSessionHint-2"},
    {"big-endian-header", kClient, "header-4"},
    {"token-not-accepted", kServer, "sessionToken-1"},
    {"token-zero-in-data", kServer, "sessionToken-3"},
    {"token-changes", kServer, "sessionToken-3"},
    {"tokens-repeat", kServer, "sessionToken-4"},
    {"tokens-count-up", kServer, "sessionToken-5"},
    {"wrong-token-accepted", kServer, "sessionToken-7"},
    {"server-hint-changes", kServer, "serverSessionHint-1"},
    {"client-hint-not-echoed-in-data", kServer, "clientSessionHint-3"},
    {"client-hint-truncated-16", kServer, "clientSessionHint-4"},
    {"answers-on-other-channel", kServer, "channelId-2"},
    {"channel-out-of-range-executed", kServer, "channelId-3"},
    {"highest-channel-refused", kServer, "openResponse-3", Severity::warning},
    {"rpc-id-off-by-one", kServer, "rpcId-4"},
    {"old-rpc-executed", kServer, "rpcId-3"},
    {"skipped-rpc-executed", kServer, "rpcId-5"},
    {"response-before-request-complete", kServer, "totalFrags-3"},
    {"frag-number-from-one", kServer, "fragNumber-1"},
    {"frag-number-from-one", kClient, "fragNumber-1"},
    {"frag-number-beyond-total-stored", kServer, "fragNumber-4"},
    {"total-frags-zero-in-response", kServer, "totalFrags-1"},
    {"total-frags-changes", kServer, "fragNumber-2"},
    {"total-frags-changes", kClient, "totalFrags-2"},
    {"total-mismatch-accepted", kServer, "totalFrags-4"},
    {"total-zero-executed", kServer, "totalFrags-5"},
    {"duplicate-fragment-appended", kServer, "fragNumber-3"},
    {"reorder-not-tolerated", kServer, "fragNumber-3"},
    {"direction-clear-in-data", kServer, "direction-1"},
    {"direction-clear-in-ack", kServer, "direction-1"},
    {"direction-ignored-on-receipt", kServer, "direction-3"},
    {"direction-ignored-on-receipt", kClient, "direction-4"},
    {"no-ack", kServer, "requestAck-1"},
    {"no-ack", kClient, "requestAck-2"},
    {"ack-five-octets", kServer, "ack-1"},
    {"ack-five-octets", kClient, "ack-1"},
    {"ack-seven-octets", kServer, "ack-2"},
    {"ack-seven-octets", kClient, "ack-2"},
    {"ack-eight-octets-padded", kServer, "ack-2"},
    {"ack-eight-octets-padded", kClient, "ack-2"},
    {"ack-first-missing-beyond-total", kServer, "ack-3"},
    {"ack-first-missing-beyond-total", kClient, "ack-3"},
    {"ack-claims-unreceived", kServer, "ack-5"},
    {"ack-claims-unreceived", kClient, "ack-5"},
    {"ack-staging-off-by-one", kServer, "ack-7"},
    {"ack-staging-off-by-one", kClient, "ack-15"},
    {"ack-staging-bits-reversed", kServer, "ack-7"},
    {"ack-staging-bits-reversed", kClient, "ack-15"},
    {"ack-bits-beyond-total", kServer, "ack-8"},
    {"ack-bits-beyond-total", kClient, "ack-8"},
    {"ack-first-missing-not-lowest", kServer, "ack-6"},
    {"ack-first-missing-not-lowest", kClient, "ack-14"},
    {"ack-wrong-rpc", kServer, "ack-9"},
    {"ack-wrong-rpc", kClient, "requestAck-2"},
    {"ack-wrong-channel", kServer, "ack-9"},
    {"ack-wrong-channel", kClient, "requestAck-2"},
    {"ack-unasked", kServer, "ack-13", Severity::warning},
    {"ack-with-request-ack", kServer, "requestAck-4", Severity::warning},
    {"ack-with-request-ack", kClient, "requestAck-4", Severity::warning},
    {"please-drop-ignored", kServer, "pleaseDrop-1"},
    {"please-drop-ignored", kClient, "pleaseDrop-2"},
    {"please-drop-ignored-on-open", kServer, "pleaseDrop-1"},
    {"please-drop-acked", kServer, "pleaseDrop-1"},
    {"please-drop-sent", kServer, "pleaseDrop-3", Severity::warning},
    {"please-drop-sent", kClient, "pleaseDrop-3", Severity::warning},
    {"reserved1-sent", kServer, "reserved1-1"},
    {"reserved1-sent", kClient, "reserved1-1"},
    {"reserved1-dies", kServer, "reserved1-2"},
    {"reserved1-dies", kClient, "reserved1-3"},
    {"reserved-type-sent", kServer, "payloadType-1"},
    {"reserved-type-sent", kClient, "payloadType-1"},
    {"reserved-type-dies", kServer, "payloadType-2"},
    {"reserved-type-dies", kClient, "payloadType-3"},
    {"short-packet-dies", kServer, "header-6"},
    {"short-packet-dies", kClient, "header-7"},
    {"short-ack-dies", kServer, "ack-12"},
    {"short-ack-dies", kClient, "ack-17"},
    {"ack-past-end-dies", kServer, "ack-11"},
    {"ack-past-end-dies", kClient, "ack-16"},
    {"bad-session-with-payload", kServer, "badSession-1"},
    {"bad-session-not-sent", kServer, "badSession-4"},
    {"bad-session-wrong-client-hint", kServer, "badSession-3"},
    {"bad-session-for-valid", kServer, "badSession-6"},
    {"executes-bad-session", kServer, "badSession-7"},
    {"re-executes-duplicate", kServer, "old-5"},
    {"no-stored-response", kServer, "old-5"},
    {"stored-response-one-per-session", kServer, "old-6"},
    {"resends-everything-on-ack", kServer, "old-13"},
    {"ignores-unsolicited-ack", kServer, "old-13"},
    {"sessions-share-channels", kServer, "session-4"},
    {"one-rpc-at-a-time", kServer, "session-5"},
    {"payload-altered", kServer, "payloadType-4"},
    {"retransmit-differs", kServer, "fragNumber-5"},
    {"response-for-incomplete-after-ack", kServer, "totalFrags-3"},
    {"data-before-open-response", kClient, "session-1"},
    {"open-with-payload", kClient, "openRequest-1"},
    {"open-nibbles-swapped", kClient, "header-2"},
    {"token-not-used", kClient, "sessionToken-2"},
    {"token-alternates", kClient, "sessionToken-6"},
    {"client-hint-changes", kClient, "clientSessionHint-1"},
    {"server-hint-not-echoed", kClient, "serverSessionHint-2"},
    {"channel-beyond-max", kClient, "channelId-1"},
    {"rpc-id-starts-at-one", kClient, "rpcId-1"},
    {"rpc-id-steps-by-two", kClient, "rpcId-2"},
    {"rpc-id-not-reset-on-reopen", kClient, "rpcId-1"},
    {"next-rpc-before-response", kClient, "session-6"},
    {"total-frags-zero", kClient, "totalFrags-1"},
    {"direction-set", kClient, "direction-2"},
    {"sends-bad-session", kClient, "badSession-2"},
    {"never-retransmits", kClient, "old-1"},
    {"never-gives-up", kClient, "old-2"},
    {"resends-everything", kClient, "old-9"},
    {"resend-differs", kClient, "fragNumber-5"},
    {"no-unsolicited-ack", kClient, "old-14"},
    {"partial-response-accepted", kClient, "totalFrags-6"},
    {"wrong-token-response-accepted", kClient, "sessionToken-8"},
    {"wrong-rpc-response-accepted", kClient, "rpcId-6"},
    {"wrong-channel-response-accepted", kClient, "channelId-4"},
    {"old-session-after-bad-session", kClient, "badSession-5"},
    {"duplicate-response-fragment-appended", kClient, "fragNumber-6"},
    {"response-reorder-not-tolerated", kClient, "fragNumber-6"},
    {"executes-twice-when-asked", kServer, "requestAck-3"},
    {"empty-open-response-dies", kClient, "openResponse-6"},
    {"reopens-for-ever", kClient, "badSession-9"},
    {"long-ack-dies", kServer, "ack-18"},
    {"bound-too-high", kServer, "openResponse-3"},
    {"bad-session-dies", kServer, "badSession-8"},
    {"open-payload-dies", kServer, "openRequest-2"},
    {"bound-too-high", kServer, "session-3"},
    {"next-rpc-before-response", kClient, "session-7"},
    {"server-hint-not-echoed", kClient, "serverSessionHint-3"},
    {"executes-bad-session", kServer, "serverSessionHint-5"},
    {"channel-beyond-max", kClient, "channelId-5"},
    {"duplicate-response-fragment-appended", kClient, "fragNumber-7"},
    {"partial-response-accepted", kClient, "totalFrags-7"},
    {"token-alternates", kClient, "openResponse-5"},
    {"reorder-not-tolerated", kServer, "ack-19"},
    {"never-retransmits", kClient, "old-3"},
    {"resend-differs", kClient, "old-8"},
    {"no-ack", kServer, "old-10"},
    {"never-gives-up", kClient, "old-11"},
    {"no-stored-response", kServer, "old-12"},
    {"never-gives-up", kClient, "old-15"},
    {"never-retransmits", kClient, "old-17"},
    {"session-open-no-answer", kServer, "serverSessionHint-4", Severity::warning},
};

class Deviant : public testing::TestWithParam<Told> {};
INSTANTIATE_TEST_SUITE_P(Peers, Deviant, testing::ValuesIn(kTold), [](const auto& told) {
  std::string name =
      fmt::format("{}_{}_{}", told.param.iut == kServer ? "server" : "client", told.param.deviation, told.param.rule);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(Deviant, IsToldByTheRuleItBreaks) {
  const Told& told = GetParam();
  const std::string rule = fmt::format("RAMCLOUD-{}", told.rule);
  const RunOutcome outcome = run(told.iut, {.deviations = {std::string(told.deviation)}}, rule);
  EXPECT_TRUE(std::ranges::any_of(outcome.results.findings, [&](const Finding& finding) {
    return finding.rule->id == rule && finding.severity == told.severity;
  }));
  const bool fails =
      std::ranges::any_of(outcome.results.cases, [](const CaseResult& one) { return one.verdict == Verdict::fail; });
  EXPECT_EQ(fails, told.severity == Severity::violation);
}

TEST(Deviations, AllStandInTheTable) {
  for (const DeviationName& deviation : find_reference_peer("ramcloud")->deviations()) {
    for (const Role role : {kServer, kClient}) {
      const bool stands = std::ranges::any_of(
          kTold, [&](const Told& told) { return told.deviation == deviation.name && told.iut == role; });
      EXPECT_TRUE(stands || (deviation.role != Role::any && deviation.role != role)) << deviation.name;
    }
  }
}

TEST(StimulusRules, CanAllFail) {
  for (const SectionCases& section : all_sections())
    for (const Rule* rule : section.rules)
      EXPECT_TRUE(std::ranges::any_of(kTold, [&](const Told& told) {
        return rule->id.ends_with(fmt::format("-{}", told.rule)) &&
               (told.severity == Severity::violation || rule->level == Level::may);
      })) << rule->id;
}

TEST(StimulusRules, AllHaveACase) {
  for (const SectionCases& section : all_sections())
    for (const Rule* rule : section.rules)
      EXPECT_TRUE(std::ranges::any_of(all_cases(), [&](const Case& one) {
        return std::ranges::count(one.rules, rule) > 0 && one.iut == rule->subject;
      })) << rule->id;
}

}  // namespace
}  // namespace wirelaw::ramcloud
