// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/statement.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "harness/certify/difference.h"
#include "harness/certify/over_runs.h"
#include "harness/certify/stated.h"
#include "harness/certify/unrecorded.h"

namespace wirelaw {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Protocol& protocol() {
  return *find_protocol("ramcloud");
}

// Runs in which every rule has passed, and every case.
EvidenceSet evidence_of(unsigned runs) {
  EvidenceSet evidence{
      .declaration = {.product = "RNIC", .version = "1", .protocol = &protocol(), .roles = {Role::responder}},
      .role = Role::responder,
      .profile = find_profile("full"),
      .provenance = {
          .id = "1", .issued = "2026-03-14T12:00:00Z", .machine = "a machine", .peer = "udp://192.0.2.1:7000"}};
  for (unsigned number = 1; number <= runs; ++number) {
    CertifiedRun run{.number = number, .result_file = fmt::format("run-{}.json", number), .capture_file = "run.pcapng"};
    run.result.end = "complete";
    for (const Rule* rule : protocol().catalogue().rules())
      run.result.rules.push_back({.id = std::string(rule->id), .verdict = "pass", .exercised = 1});
    for (const Case& one : protocol().cases()) {
      run.result.cases.push_back({.id = std::string(one.id), .verdict = "pass", .first_frame = 1, .last_frame = 2});
      for (const Rule* rule : one.rules) run.result.cases.back().rules.emplace_back(rule->id);
    }
    evidence.runs.push_back(std::move(run));
  }
  return evidence;
}

// The first rule that counts with this demand: the first SHOULD, for example.
std::string rule_with(std::string_view demand) {
  const StatementJson statement = statement_of(evidence_of(1), {});
  for (const StatementJson& one : statement.at("rules"))
    if (one.at("demand") == demand && !one.at("cases").empty()) return one.at("id");
  ADD_FAILURE() << "no rule is " << demand;
  return {};
}

void set_rule(EvidenceSet& evidence, std::size_t run, const std::string& id, const std::string& verdict) {
  std::ranges::find(evidence.runs.at(run).result.rules, id, &ResultFile::Rule::id)->verdict = verdict;
}
void set_case(EvidenceSet& evidence, std::size_t run, const std::string& id, const std::string& verdict) {
  std::ranges::find(evidence.runs.at(run).result.cases, id, &ResultFile::Case::id)->verdict = verdict;
}

StatementJson entry_of(const StatementJson& statement, const char* list, const std::string& id) {
  for (const StatementJson& one : statement.at(list))
    if (one.at("id") == id) return one;
  return {};
}

Waivers waivers_of(const std::string& what, const std::string& until = "2026-03-14") {
  return parse_waivers("w.toml",
                       fmt::format("schema = \"wirelaw-waivers/2\"\n[[waiver]]\n{}\nreason = \"old\"\nowner = "
                                   "\"lab\"\nuntil = {}\n",
                                   what, until))
      .value();
}

TEST(Statement, GrantsWhatPassesInAllRuns) {
  const StatementJson statement = statement_of(evidence_of(3), {});
  EXPECT_EQ(statement.at("certificate").at("verdict"), "granted") << summary_of(statement);
  EXPECT_THAT(statement.at("certificate").at("reasons"), IsEmpty());
  EXPECT_EQ(statement.at("coverage").at("applicable"), statement.at("coverage").at("exercised"));
  EXPECT_GT(statement.at("coverage").at("applicable"), 50);
}

TEST(Statement, OfAFailureSaysHowOftenItCameAndRefuses) {
  const std::string rule = rule_with("mandatory");
  EvidenceSet evidence = evidence_of(3);
  for (std::size_t run = 0; run < 3; ++run) set_rule(evidence, run, rule, "fail");
  StatementJson statement = statement_of(evidence, {});
  EXPECT_EQ(entry_of(statement, "rules", rule).at("verdict"), "fail");
  EXPECT_EQ(statement.at("certificate").at("verdict"), "refused");
  EXPECT_THAT(std::string(statement.at("certificate").at("reasons").at(0)), HasSubstr("fail in all 3 runs"));

  set_rule(evidence, 1, rule, "pass");
  statement = statement_of(evidence, {});
  EXPECT_EQ(entry_of(statement, "rules", rule).at("verdict"), "unstable") << "never the best of them";
  EXPECT_EQ(entry_of(statement, "rules", rule).at("runs"), (StatementJson{"fail", "pass", "fail"}));
  EXPECT_EQ(statement.at("certificate").at("verdict"), "refused");
  EXPECT_THAT(std::string(statement.at("certificate").at("reasons").at(0)),
              HasSubstr("unstable: fail in 2, pass in 1 of 3"));
}

// Disagreeing runs are treated as agreeing ones: a rule that warns in every run does not refuse the certificate.
TEST(Statement, OnlyAFailureRefusesWhereRunsDisagree) {
  const std::string rule = rule_with("mandatory"), id(protocol().cases().front().id);
  for (const char* verdict : {"not-exercised", "warned", "inconclusive"}) {
    EvidenceSet evidence = evidence_of(3);
    set_rule(evidence, 2, rule, verdict);
    set_case(evidence, 2, id, verdict);
    const StatementJson statement = statement_of(evidence, {});
    EXPECT_EQ(entry_of(statement, "rules", rule).at("verdict"), "unstable") << verdict;
    EXPECT_EQ(statement.at("certificate").at("verdict"), "granted") << verdict;
    set_rule(evidence, 1, rule, "fail");
    EXPECT_EQ(statement_of(evidence, {}).at("certificate").at("verdict"), "refused") << verdict;
  }
}

TEST(Statement, ARunThatLacksARuleOrACaseIsNotPassedOver) {
  EvidenceSet evidence = evidence_of(2);
  evidence.runs[1].result.rules.pop_back();
  evidence.runs[0].result.cases.pop_back();
  const StatementJson statement = statement_of(evidence, {});
  EXPECT_EQ(statement.at("rules").back().at("runs"), (StatementJson{"pass", "absent"}));
  EXPECT_EQ(statement.at("rules").back().at("verdict"), "unstable");
}

TEST(Statement, ARecommendationRefusesNothing) {
  const std::string rule = rule_with("recommended");
  EvidenceSet evidence = evidence_of(3);
  for (std::size_t run = 0; run < 3; ++run) set_rule(evidence, run, rule, "fail");
  const StatementJson statement = statement_of(evidence, {});
  EXPECT_EQ(entry_of(statement, "rules", rule).at("verdict"), "fail");
  EXPECT_EQ(statement.at("certificate").at("verdict"), "granted");
}

TEST(Statement, AFailedCaseRefuses) {
  const std::string id(protocol().cases().front().id);
  EvidenceSet evidence = evidence_of(3);
  set_case(evidence, 0, id, "fail");
  const StatementJson statement = statement_of(evidence, {});
  EXPECT_EQ(entry_of(statement, "cases", id).at("verdict"), "unstable");
  EXPECT_EQ(statement.at("certificate").at("verdict"), "refused");
}

TEST(Statement, BelowTheBoundOfItsProfileThereIsNoCertificate) {
  EvidenceSet evidence = evidence_of(3);
  for (CertifiedRun& run : evidence.runs)
    for (std::size_t i = 0; i < run.result.rules.size(); i += 2) run.result.rules[i].verdict = "not-exercised";
  StatementJson statement = statement_of(evidence, {});
  EXPECT_EQ(statement.at("certificate").at("verdict"), "refused");
  EXPECT_THAT(std::string(statement.at("certificate").at("reasons").at(0)), HasSubstr("profile full requires"));
  EXPECT_FALSE(statement.at("coverage").at("not_exercised").empty());

  statement = statement_of(evidence_of(2), {});
  EXPECT_EQ(statement.at("certificate").at("reasons").at(0), "2 runs, but profile full requires 3");
  evidence = evidence_of(3);
  evidence.cases = {"ack/*"};
  EXPECT_EQ(statement_of(evidence, {}).at("certificate").at("reasons").at(0), "not all cases were selected");
  evidence = evidence_of(3);
  evidence.runs[1].result.end = "peer-lost";
  EXPECT_EQ(statement_of(evidence, {}).at("certificate").at("reasons").at(0), "run 2 is not complete: peer-lost");
  evidence.runs[1].result.end = "peer-died";
  EXPECT_EQ(statement_of(evidence, {}).at("certificate").at("reasons").at(0), "the peer died in run 2");
}

TEST(Statement, WhatIsWaivedIsNeverAPass) {
  const std::string rule = rule_with("mandatory");
  EvidenceSet evidence = evidence_of(3);
  set_rule(evidence, 0, rule, "fail");
  evidence.waivers = waivers_of(fmt::format("rule = \"{}\"", rule));
  StatementJson statement = statement_of(evidence, {});
  const StatementJson entry = entry_of(statement, "rules", rule);
  EXPECT_EQ(entry.at("verdict"), "waived");
  EXPECT_EQ(entry.at("waived"), "unstable");
  EXPECT_EQ(entry.at("waiver").at("owner"), "lab");
  EXPECT_EQ(statement.at("certificate").at("verdict"), "granted-with-waivers");
  EXPECT_EQ(statement.at("waivers").at(0).at("state"), "used");

  evidence.waivers = waivers_of(fmt::format("rule = \"{}\"", rule), "2026-03-13");
  statement = statement_of(evidence, {});
  EXPECT_EQ(entry_of(statement, "rules", rule).at("verdict"), "unstable");
  EXPECT_EQ(statement.at("certificate").at("verdict"), "refused");
  EXPECT_EQ(statement.at("waivers").at(0).at("state"), "expired");

  set_rule(evidence, 0, rule, "pass");
  evidence.waivers = waivers_of(fmt::format("rule = \"{}\"", rule));
  statement = statement_of(evidence, {});
  EXPECT_EQ(entry_of(statement, "rules", rule).at("verdict"), "pass");
  EXPECT_EQ(statement.at("certificate").at("verdict"), "granted");
  EXPECT_EQ(statement.at("waivers").at(0).at("state"), "unused");
}

// Same as in `wirelaw test --waivers`: a case whose only mandatory failures are waived, besides a SHOULD, does not
// refuse the certificate.
TEST(Statement, ACaseThatFailsWaivedRulesAndRecommendationsRefusesNothing) {
  const auto has = [](const Case& one, bool mandatory) {
    return std::ranges::any_of(one.rules, [&](const Rule* rule) { return is_mandatory(rule->level) == mandatory; });
  };
  const auto cases = protocol().cases();
  const auto mixed = std::ranges::find_if(cases, [&](const Case& one) { return has(one, true) && has(one, false); });
  ASSERT_NE(mixed, cases.end());
  EvidenceSet evidence = evidence_of(3);
  for (std::size_t run = 0; run < 3; ++run) {
    set_case(evidence, run, std::string(mixed->id), "fail");
    for (const Rule* rule : mixed->rules) set_rule(evidence, run, std::string(rule->id), "fail");
  }
  std::string waivers = "schema = \"wirelaw-waivers/2\"\n";
  for (const Rule* rule : mixed->rules)
    if (is_mandatory(rule->level))
      waivers +=
          fmt::format("[[waiver]]\nrule = \"{}\"\nreason = \"old\"\nowner = \"lab\"\nuntil = 2026-03-14\n", rule->id);
  EXPECT_EQ(statement_of(evidence, {}).at("certificate").at("verdict"), "refused");
  evidence.waivers = parse_waivers("w.toml", waivers).value();
  const StatementJson statement = statement_of(evidence, {});
  EXPECT_EQ(statement.at("certificate").at("verdict"), "granted-with-waivers") << summary_of(statement);
}

TEST(Statement, WhatIsDeclaredAndNotShownOrShownAndNotDeclaredIsAVerdict) {
  const Protocol& efa = *find_protocol("efa");
  EvidenceSet evidence{.declaration = {.product = "P",
                                       .version = "1",
                                       .protocol = &efa,
                                       .roles = {Role::responder},
                                       .features = {"rdma_read", "rdma_write"}},
                       .profile = find_profile("basic"),
                       .provenance = {.issued = "2026-03-14T12:00:00Z"}};
  evidence.runs.push_back({.capture_file = "run-1.pcapng", .features = {"rdma_read", "peer_error"}});
  const StatementJson features = statement_of(evidence, {}).at("features");
  std::vector<std::string> verdicts;
  for (const StatementJson& one : features) verdicts.push_back(one.at("verdict"));
  EXPECT_THAT(verdicts, ElementsAre("shown", "declared-not-shown", "not-declared", "not-declared", "not-known",
                                    "shown-not-declared"));
  std::vector<std::string> reasons = statement_of(evidence, {}).at("certificate").at("reasons");
  EXPECT_THAT(reasons, Contains("feature rdma_write: declared, but not shown"));
  EXPECT_THAT(reasons, Contains("feature peer_error: shown, but not declared"));

  evidence.runs.front().capture_file.clear();
  EXPECT_EQ(statement_of(evidence, {}).at("features").at(0).at("verdict"), "not-known");
}

TEST(Statement, IsReadBackAndIsTheSame) {
  EvidenceSet evidence = evidence_of(2);
  evidence.runs[0].seed = 7;
  evidence.files = {{"ics.toml", {3, std::string(64, 'a')}}};
  const StatementJson statement =
      statement_of(evidence, {.version = "1", .commit = "c", .judged_by = judged_by(protocol())});
  const auto stated = parse_statement("s.json", text_of(statement));
  ASSERT_TRUE(stated) << stated.error();
  EXPECT_EQ(stated->document, statement);
  EXPECT_EQ(stated->role, "server");
  EXPECT_EQ(stated->evidence.runs.size(), 2u);
  EXPECT_EQ(stated->evidence.runs[0].seed, 7u);
  EXPECT_EQ(stated->evidence.files.at(0).digest.octets, 3u);
}

TEST(Statement, ThatIsNoneIsOneLine) {
  const StatementJson good = statement_of(evidence_of(1), {});
  const auto with = [&](const char* key, const StatementJson& value) {
    StatementJson bad = good;
    bad[key] = value;
    return text_of(bad);
  };
  StatementJson climbing = good;
  climbing["evidence"] = {{{"file", "../ics.toml"}, {"octets", 1}, {"sha256", ""}}};
  StatementJson dated = good;
  dated["provenance"]["issued"] = "yesterday";
  StatementJson profiled = good;
  profiled["certificate"]["profile"] = "generous";
  const std::string wrong[] = {"",
                               "{}",
                               "[1]",
                               "{\"schema\": \"wirelaw/2\"}",
                               std::string(1000, '['),
                               with("runs", 3),
                               with("runs", {{{"run", 2}, {"result", "a"}}}),
                               with("runs", {{{"run", 1}, {"result", "/etc/passwd"}}}),
                               with("program", nullptr),
                               with("declaration", {{"selected_cases", 3}}),
                               text_of(climbing),
                               text_of(dated),
                               text_of(profiled)};
  for (const std::string& text : wrong) {
    const auto read = parse_statement("s.json", text);
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error(), testing::StartsWith("s.json: "));
    EXPECT_THAT(read.error(), HasSubstr("a statement is what `wirelaw certify` wrote"));
  }
}

TEST(Differences, NameEachValueByItsWay) {
  StatementJson stated = statement_of(evidence_of(1), {});
  const StatementJson again = stated;
  stated["rules"][3]["verdict"] = "fail";
  stated["certificate"].erase("profile");
  stated["extra"] = 1;
  std::vector<std::string> lines;
  EXPECT_EQ(differences(stated, again, 10, lines), 3u);
  EXPECT_THAT(lines, Contains(fmt::format("rules {} verdict: \"fail\" is stated, and the evidence gives \"pass\"",
                                          std::string(again["rules"][3]["id"]))));
  EXPECT_THAT(lines, Contains("certificate profile is not stated"));
  EXPECT_THAT(lines, Contains("extra is stated, and nothing gives it"));
  lines.clear();
  EXPECT_EQ(differences(stated, again, 1, lines), 3u);
  EXPECT_EQ(lines.size(), 1u);
  EXPECT_EQ(differences(again, again, 1, lines), 0u);
}

TEST(Unrecorded, IsOnlyWhatThePeersUriExplains) {
  for (const char* peer : {"memory:?pair", "memory:?loss=0.1&pair", "verbs://10.0.0.1:7?far=10.0.0.2"})
    EXPECT_TRUE(is_unrecorded(kUnspoken, peer)) << peer;
  for (const char* peer : {"memory:", "memory:?repair", "verbs://10.0.0.1:7", "udp://10.0.0.1:7?far=x", ""})
    EXPECT_FALSE(is_unrecorded(kUnspoken, peer)) << peer;
  for (const char* peer : {"srd://", "srd://::1", "srd://::1?device=a/b"})
    EXPECT_TRUE(is_unrecorded(kUnnamed, peer)) << peer;
  for (const char* peer : {"srd://[::1]/5/6", "udp://10.0.0.1:7", "memory:?pair"})
    EXPECT_FALSE(is_unrecorded(kUnnamed, peer)) << peer;
  EXPECT_FALSE(is_unrecorded("", "memory:?pair"));
}

TEST(Digest, IsThatOfFips180) {
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Digest, OfWhatIsJudgedByDiffersBetweenProtocols) {
  const JudgedBy a = judged_by(*find_protocol("rdmap")), b = judged_by(*find_protocol("smbd"));
  EXPECT_NE(a.rules, b.rules);
  EXPECT_NE(a.cases, b.cases);
  EXPECT_NE(a.rulings, b.rulings);
  EXPECT_NE(a.rulings, sha256_of("")) << "the pages were not found when this was built";
}

}  // namespace
}  // namespace wirelaw
