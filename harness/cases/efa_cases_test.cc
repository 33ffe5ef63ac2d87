// SPDX-License-Identifier: Apache-2.0
// All cases of EFA RDM against the reference peers: the honest one passes each, each deliberate fault is reported by
// some rule, and each case and each rule fails by the faults that the rule lists as its breaches.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "conformance/efa/cases.h"
#include "conformance/efa/efa.h"
#include "conformance/efa/roles.h"
#include "harness/cases/breach_walk.h"
#include "harness/memory_run.h"
#include "harness/peers/efa_application_faults.h"
#include "harness/peers/reference_peers.h"
#include "harness/runner.h"
#include "harness/transports/memory/memory_iut.h"
#include "reference/efa/offered_region.h"

namespace wirelaw::efa {
namespace {

using testing::IsEmpty;

// Surroundings in which a fault may show.
struct Scene {
  std::string_view name;
  std::vector<std::string> settings = {};  // for the reference peer
  std::vector<std::string> features = {"rdma_read", "rdma_write"};
  IutParameters parameters = {};        // the peer's; the cases get them too
  std::vector<std::string> cases = {};  // all of them if none is named

  bool has(const Case& one) const {
    return cases.empty() ||
           std::ranges::any_of(cases, [&](std::string_view glob) { return matches_glob(glob, one.id); });
  }
};
const Scene kScenes[] = {
    {"plain"},
    {"constant header", {}, {"constant_header_length"}},
    {"no registrations", {"no-registrations"}},
    {"near the last msg_id",
     {},
     {"rdma_read"},
     {{"msg_id", "0xfffffffc"}},
     {"msg-id/*", "eager/*", "medium/*", "longcts/*", "atomic/*", "connid/*", "padding/*"}},
    {"small packets", {}, {}, {{"mtu", "1024"}}, {"application/requester/short-reads-fit"}},
    {"late receives", {"late-receives"}},
    {"one tag", {}, {}, {{"tag", "0x8877665544332211"}}},
    {"all blocks", {"all-blocks"}},
    {"later documents",
     {"all-blocks"},
     {"rdma_read", "rdma_write", "unsolicited_write_recv", "peer_error"},
     {},
     {"peer-error/*", "handshake/*", "read-nack/*", "direct-write/*", "user-recv-qp/*", "application/*immediate*",
      "application/*direct*"}},
    {"small receives", {}, {"rdma_read"}, {{"receive", "2000"}}, {"truncated/*"}},
};

// The declared features of a requester. A responder's reference peer declares them itself.
IutParameters declared_of_requester(const Scene& scene) {
  IutParameters declared{{"addr", fmt::format("{}", kOfferedRegion.addr)},
                         {"key", fmt::format("{}", kOfferedRegion.key)},
                         {"length", fmt::format("{}", kOfferedRegion.len)}};
  declared.insert(declared.end(), scene.parameters.begin(), scene.parameters.end());
  return declared;
}

RunOutcome run(Role iut, const Scene& scene, const Selection& selection, std::vector<std::string> deviations = {}) {
  RunOptions options{.iut = iut, .selection = selection, .application = Service::echo, .features = scene.features};
  if (iut == kRequester) options.parameters = declared_of_requester(scene);
  return run_in_memory(
             kProtocol, options,
             {.deviations = std::move(deviations), .settings = scene.settings, .parameters = scene.parameters})
      .value();
}

RunOutcome run(Role iut, const Scene& scene) {
  return run(iut, scene, {.cases = scene.cases});
}

// EFA/A-20 expects 0 first, so a peer that was given another number gets a warning.
bool is_first_msg_id(const Finding& one) {
  return one.rule->id == "EFA-3.2-4" && one.actual == "4294967292";
}

std::vector<std::string> complaints(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict != Verdict::pass && one.verdict != Verdict::skipped)
      list.push_back(fmt::format("{}: {}: {}", one.id, to_string(one.verdict), one.reason));
  for (const Finding& one : outcome.results.findings)
    if (!is_first_msg_id(one)) list.push_back(to_text(one));
  return list;
}

std::string_view name_of(Role role) {
  return role == kResponder ? "responder" : "requester";
}

constexpr Role kRoles[] = {kResponder, kRequester};

bool binds(const Rule& rule, Role role) {
  return includes(rule.subject, role);
}

TEST(HonestPeer, PassesEveryCaseWithoutAFinding) {
  for (const Role role : kRoles) {
    for (const Scene& scene : kScenes) {
      SCOPED_TRACE(fmt::format("{}, {}", name_of(role), scene.name));
      const RunOutcome outcome = run(role, scene);
      EXPECT_TRUE(!scene.cases.empty() || outcome.results.cases.size() > 50u);
      EXPECT_THAT(complaints(outcome), IsEmpty());
    }
  }
}

// A case that is skipped in every attempt judges nothing.
TEST(Cases, AreAllTriedSomewhere) {
  for (const Role role : kRoles) {
    std::map<std::string, std::string> skipped;  // with the reasons
    std::set<std::string> tried;
    for (const Scene& scene : kScenes)
      for (const CaseResult& one : run(role, scene).results.cases)
        if (one.verdict == Verdict::skipped)
          skipped[one.id] += one.reason + "; ";
        else
          tried.insert(one.id);
    for (const std::string& one : tried) skipped.erase(one);
    EXPECT_THAT(skipped, IsEmpty()) << name_of(role);
  }
}

TEST(StimulusRules, AllHaveACase) {
  for (const Rule* rule : kProtocol.catalogue().rules())
    for (const Role role : kRoles)
      EXPECT_TRUE(rule->observable != Observable::stimulus || !binds(*rule, role) ||
                  std::ranges::any_of(
                      suite().cases(),
                      [&](const Case& one) { return std::ranges::count(one.rules, rule) > 0 && one.iut == role; }))
          << rule->id << " of a " << name_of(role);
}

class EachFault : public testing::TestWithParam<DeviationOfRole> {};
INSTANTIATE_TEST_SUITE_P(
    Faults, EachFault,
    testing::ValuesIn(walked(BreachWalk(find_reference_peer("efa")->deviations(), breaches()).faults())),
    [](const auto& fault) { return test_name(fault.param); });

// The report of the first case that fails because of a fault.
std::vector<std::string> first_complaints(const DeviationOfRole& fault, const Scene& scene) {
  for (const Case* one : select_cases(kProtocol, fault.iut, {.cases = scene.cases})) {
    auto reported = complaints(run(fault.iut, scene, {.cases = {std::string(one->id)}}, {std::string(fault.name)}));
    if (!reported.empty()) return reported;
  }
  return {};
}

TEST_P(EachFault, IsReportedBySomeRule) {
  std::vector<std::string> reported;
  for (const Scene& scene : kScenes)
    if (reported.empty()) reported = first_complaints(GetParam(), scene);
  EXPECT_FALSE(reported.empty());
}

// ------------------------------------------------------------------------------------ each case, and each of its rules

// The faults of the application above the endpoint, and of its device, belong to the harness: what they break is listed
// here, and not with the rules.
struct ApplicationBreach {
  ApplicationFault fault;
  std::string_view rule;
  Role who = kEither;
};
constexpr ApplicationBreach kApplicationBreaches[] = {
    {ApplicationFault::packet_beyond_mtu, "EFA-1.3-11"},
    {ApplicationFault::connid_constant, "EFA-1.4-5"},
    {ApplicationFault::unsupported_completes, "EFA-2.1-25"},
    {ApplicationFault::unsupported_completes, "EFA-4.2-22"},
    {ApplicationFault::source_inserted_again, "EFA-2.2-3"},
    {ApplicationFault::handshake_failure_told, "EFA-2.3-1"},
    {ApplicationFault::close_waits_for_handshake, "EFA-2.3-2"},
    {ApplicationFault::tagged_sent_untagged, "EFA-3.1-17"},
    {ApplicationFault::cq_data_lost, "EFA-3.1-18"},
    {ApplicationFault::received_cq_data_lost, "EFA-3.1-19"},
    {ApplicationFault::message_cut, "EFA-3.2-20"},
    {ApplicationFault::medium_rest_lost, "EFA-3.2-49"},
    {ApplicationFault::unsent_message_completes, "EFA-3.2-74"},
    {ApplicationFault::receives_of_its_own, "EFA-3.2-112"},
    {ApplicationFault::one_sided_needs_receive, "EFA-3.3-1"},
    {ApplicationFault::writes_told, "EFA-3.3-3"},
    {ApplicationFault::writes_told, "EFA-4.1-14"},
    {ApplicationFault::one_sided_completion_lost, "EFA-3.3-4"},
    {ApplicationFault::write_takes_receive, "EFA-3.3-24"},
    {ApplicationFault::source_not_registered, "EFA-4.1-9"},
    {ApplicationFault::unregistered_send_lost, "EFA-4.1-10"},
    {ApplicationFault::unregistered_read_lost, "EFA-4.7-13"},
    {ApplicationFault::reads_more_than_needed, "EFA-4.1-11"},
    {ApplicationFault::reads_more_than_needed, "EFA-4.5-17"},
    {ApplicationFault::direct_read_told, "EFA-4.1-12", kResponder},
    {ApplicationFault::direct_read_with_request, "EFA-4.1-12", kRequester},
    {ApplicationFault::direct_write_with_request, "EFA-4.6-1"},
    {ApplicationFault::completes_before_eor, "EFA-4.1-25"},
    {ApplicationFault::completes_before_eor, "EFA-3.2-74"},
    {ApplicationFault::completes_before_receipt, "EFA-4.2-20"},
    {ApplicationFault::placed_after_receipt, "EFA-4.2-21"},
    {ApplicationFault::delivery_complete_forgotten, "EFA-4.2-23"},
};

// A breach of a rule that a case can show, caused by any fault.
struct Row {
  std::string_view fault;
  const Rule* rule;
  Breach::Where where;

  bool is_of(Role role) const { return is_broken_by({0u, *rule, where}, role); }
  // The tests of traces show it (conformance/efa/deviations_test.cc); a case may show it as well.
  bool shows_in_traces() const { return rule->observable == Observable::trace && where.given.empty(); }
  bool needs(const Scene& scene) const {
    return where.given == scene.name || (scene.name == "plain" && (where.given.empty() || where.given == kStimulus));
  }
};

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = [] {
    std::vector<Row> all;
    for (const BreachList& list : breaches())
      for (const Breach& one : list)
        all.push_back({describe(static_cast<Deviation>(one.deviation)).name, one.rule, one.where});
    for (const ApplicationBreach& one : kApplicationBreaches)
      all.push_back(
          {ApplicationFaults::describe(one.fault).name, kProtocol.catalogue().find(one.rule), {.who = one.who}});
    return all;
  }();
  return kRows;
}

// True if some rule lists the fault in its row.
bool is_listed(std::string_view fault, const Rule& rule) {
  return std::ranges::any_of(rows(), [&](const Row& row) { return row.fault == fault && row.rule == &rule; });
}

struct Reports {
  bool fails;
  std::vector<std::pair<const Rule*, Severity>> findings;
};

// The report of a case on a fault. Many rows use the same run, which is made once.
const Reports& reports(const Case& one, const Scene& scene, std::string_view fault) {
  static std::map<std::tuple<const Case*, const Scene*, std::string_view>, Reports> known;
  const auto [at, is_new] = known.try_emplace({&one, &scene, fault});
  if (!is_new) return at->second;
  const RunOutcome outcome = run(one.iut, scene, {.cases = {std::string(one.id)}}, {std::string(fault)});
  at->second.fails = outcome.results.cases.at(0).verdict == Verdict::fail;
  for (const Finding& finding : outcome.results.findings) {
    EXPECT_TRUE(finding.severity == Severity::warning || is_listed(fault, *finding.rule))
        << one.id << " reports " << fault << " by " << finding.rule->id << ", which does not list it";
    if (!is_first_msg_id(finding)) at->second.findings.emplace_back(finding.rule, finding.severity);
  }
  return at->second;
}

// The reaction of a case to a breach of one of its rules, or of a rule that the observer judges at the same time: none,
// a failure, or, if the rule is open to argument, a warning.
enum class Report : std::uint8_t { none, among_others, alone };

Report report(const Case& one, const Scene& scene, const Row& row) {
  const bool judged = std::ranges::count(one.rules, row.rule) > 0 || row.rule->observable == Observable::trace;
  if (!judged || !scene.has(one) || !row.is_of(one.iut)) return Report::none;
  const Reports& made = reports(one, scene, row.fault);
  std::set<const Rule*> rules;
  for (const auto& [rule, severity] : made.findings)
    if (severity == row.where.severity || severity == Severity::violation) rules.insert(rule);
  if (!rules.contains(row.rule)) return Report::none;
  return rules.size() == 1 && made.fails == (row.where.severity == Severity::violation) ? Report::alone
                                                                                        : Report::among_others;
}

class EachCase : public testing::TestWithParam<const Case*> {};
std::vector<const Case*> pointers_to_cases() {
  std::vector<const Case*> all;
  for (const Case& one : suite().cases()) all.push_back(&one);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Cases, EachCase, testing::ValuesIn(walked(pointers_to_cases())),
                         [](const auto& one) { return test_name(one.param->id); });

TEST_P(EachCase, ReportsABreachOfItsRulesByThatRuleAlone) {
  const Case& one = *GetParam();
  for (const Scene& scene : kScenes)
    for (const Row& row : rows())
      if (std::ranges::count(one.rules, row.rule) > 0 && (row.needs(scene) || row.shows_in_traces()) &&
          report(one, scene, row) == Report::alone)
        return;
  FAIL() << "no breach of its rules is reported";
}

// True if the reaction of a case for this role to the breach is at least this.
bool is_reported(const Row& row, Role role, Report least) {
  return std::ranges::any_of(kScenes, [&](const Scene& scene) {
    return row.needs(scene) && std::ranges::any_of(suite().cases(), [&](const Case& one) {
             return one.iut == role && report(one, scene, row) >= least;
           });
  });
}

// For the rules that only cases judge, and for those rules of traces that need a stimulus.
class EachBreach : public testing::TestWithParam<Row> {};
std::vector<Row> breaches_for_cases() {
  std::vector<Row> all;
  std::ranges::copy_if(rows(), std::back_inserter(all), [](const Row& row) { return !row.shows_in_traces(); });
  return all;
}
INSTANTIATE_TEST_SUITE_P(Breaches, EachBreach, testing::ValuesIn(walked(breaches_for_cases())), [](const auto& one) {
  return test_name(fmt::format("{}_{}_by_{}", one.index, one.param.rule->id, one.param.fault));
});

TEST_P(EachBreach, IsReportedByACase) {
  const Row& row = GetParam();
  for (const Role role : kRoles)
    EXPECT_TRUE(!row.is_of(role) || is_reported(row, role, Report::among_others)) << "of a " << name_of(role);
}

// A rule that only cases judge: by a stimulus, or through the IUT's application or its device, beside the wire.
class EachRule : public testing::TestWithParam<const Rule*> {};
std::vector<const Rule*> rules_of_cases() {
  std::vector<const Rule*> all;
  for (const Rule* rule : kProtocol.catalogue().rules())
    if (rule->observable == Observable::stimulus || rule->observable == Observable::api) all.push_back(rule);
  return all;
}
TEST(ApplicationRules, AreAmongThem) {
  EXPECT_GT(std::ranges::count(rules_of_cases(), Observable::api, &Rule::observable), 25);
}
INSTANTIATE_TEST_SUITE_P(Rules, EachRule, testing::ValuesIn(walked(rules_of_cases())),
                         [](const auto& one) { return test_name(one.param->id); });

TEST_P(EachRule, CanFailAloneInEachRoleThatItBinds) {
  const Rule& rule = *GetParam();
  for (const Role role : kRoles)
    EXPECT_TRUE(!binds(rule, role) || std::ranges::any_of(rows(),
                                                          [&](const Row& row) {
                                                            return row.rule == &rule && row.is_of(role) &&
                                                                   is_reported(row, role, Report::alone);
                                                          }))
        << "of a " << name_of(role);
}

// --------------------------------------------------------------------------------------------- what a network doubles

RunOutcome on_a_network_that_doubles(Role role, std::string_view tested, std::vector<std::string> deviations) {
  const ReferencePeer& reference = *find_reference_peer("efa");
  const PeerOptions peer{.role = role, .application = Service::echo, .deviations = std::move(deviations)};
  const auto iut =
      make_memory_iut(*reference.maker(peer), {.framing = kDatagrams, .network_faults = {.duplication = 1}});
  return run_cases(kProtocol, *iut,
                   {.iut = role,
                    .selection = {.cases = {std::string(tested)}},
                    .parameters = offers_of(reference, peer),
                    .is_known = true});
}

TEST(OneHandshake, IsNotDeniedByANetworkThatDoublesPackets) {
  const auto is_denied = [](const RunOutcome& outcome) {
    return std::ranges::any_of(outcome.results.findings,
                               [](const Finding& one) { return one.rule->id == "EFA-2.1-3"; });
  };
  constexpr std::string_view kOfResponder = "handshake/comes-once", kOfRequester = "handshake/requester-sends-one";
  EXPECT_FALSE(is_denied(on_a_network_that_doubles(Role::responder, kOfResponder, {})));
  EXPECT_FALSE(is_denied(on_a_network_that_doubles(Role::initiator, kOfRequester, {})));
  EXPECT_TRUE(is_denied(on_a_network_that_doubles(Role::responder, kOfResponder, {"handshake-to-every-request"})));
}

}  // namespace
}  // namespace wirelaw::efa
