// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/declaration.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "harness/certify/applicability.h"
#include "harness/certify/features.h"

namespace wirelaw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

const std::string kHead = "schema = \"wirelaw-ics/1\"\n[implementation]\nproduct = \"RNIC\"\nversion = \"1.2\"\n";
const std::string kEfa = kHead + "[conformance]\nprotocol = \"efa\"\nroles = [\"responder\"]\n";

Declaration declared(const std::string& text) {
  auto read = parse_declaration("ics.toml", text);
  EXPECT_TRUE(read) << read.error();
  return read.value();
}

TEST(Declaration, SaysWhoWhatAndHow) {
  const Declaration one = declared(kEfa +
                                   "application = \"count\"\nrevision = \"2.6\"\n"
                                   "[features]\nrdma_write = true\nrdma_read = false\n"
                                   "[parameters]\nmtu = 1400\nkey = \"0x7\"\naddr = 0x1000\n"
                                   "[limits]\nanswer_time = 3\nsilence_time = 0.25\n");
  EXPECT_EQ(one.product, "RNIC");
  EXPECT_EQ(one.protocol->name, "efa");
  EXPECT_EQ(one.revision, "2.6");
  EXPECT_THAT(one.roles, ElementsAre(Role::responder));
  EXPECT_EQ(one.application, "count");
  EXPECT_THAT(one.features, ElementsAre("rdma_write"));
  EXPECT_THAT(one.parameters, ElementsAre(Pair("addr", "4096"), Pair("key", "0x7"), Pair("mtu", "1400")));
  EXPECT_EQ(one.answer_time, 3);
  EXPECT_EQ(one.silence_time, 0.25);
}

TEST(Declaration, ThatIsNotOfItsFormIsOneLineThatSaysWhere) {
  const std::pair<std::string, std::string> kWrong[] = {
      {"", "does not say schema = \"wirelaw-ics/1\""},
      {"schema = \"wirelaw-ics/1\"\n", "there is no [implementation]"},
      {kHead, "there is no [conformance]"},
      {"schema = \"wirelaw-ics/1\"\n[implementation]\nproduct = \"\"\nversion = \"1\"\n",
       "line 3: [implementation] needs product = "},
      {kHead + "[conformance]\nprotocol = \"rdmp\"\n",
       "line 6: protocol is 'rdmp', which is not one of: ramcloud, rdmap"},
      {kHead + "[conformance]\nprotocol = \"efa\"\n", "[conformance] needs roles"},
      {kHead + "[conformance]\nprotocol = \"efa\"\nroles = [\"server\"]\n",
       "roles is 'server', which is not one of: responder, requester"},
      {kHead + "[conformance]\nprotocol = \"efa\"\nroles = [\"responder\", \"responder\"]\n", "has responder twice"},
      {kHead + "[conformance]\nprotocol = \"efa\"\nroles = [1]\n", "roles is not a list of strings"},
      {kEfa + "revision = \"2.5\"\n", "revision is '2.5', which is not one of: 2023-10, 2.6, main"},
      {kEfa + "application = \"smb2\"\n", "application is 'smb2', which is not one of: echo, count, none"},
      {kEfa + "[features]\nrdma_raed = true\n", "line 9: [features] has no 'rdma_raed'; known: rdma_read, rdma_write"},
      {kEfa + "[features]\nrdma_read = \"yes\"\n", "[features] rdma_read is not true or false"},
      {kEfa + "[parameters]\nmtu = -1\n", "[parameters] mtu is negative"},
      {kEfa + "[parameters]\nmtu = \"\"\n", "[parameters] mtu is empty"},
      {kEfa + "[parameters]\nmtu = 1.5\n", "[parameters] mtu is not a string or a whole number"},
      {kEfa + "[limits]\nanswer_time = 0\n", "[limits] answer_time is not between"},
      {kEfa + "[limits]\nanswer_time = nan\n", "[limits] answer_time is not between"},
      {kEfa + "[more]\n", "the file has no 'more'"},
      {kEfa + "features = 1\n[features]\n", "[conformance] has no 'features'"},
      {"limits = 3\n" + kEfa, "limits is not a table"},
  };
  for (const auto& [text, says] : kWrong) {
    const auto read = parse_declaration("ics.toml", text);
    ASSERT_FALSE(read) << says;
    EXPECT_THAT(read.error(), HasSubstr(says));
    EXPECT_THAT(read.error(), StartsWith("ics.toml: "));
    EXPECT_THAT(read.error(), Not(HasSubstr("\n")));
  }
}

TEST(Declaration, ThatIsWrittenIsReadBackForEachProtocol) {
  for (const Protocol* protocol : protocols()) {
    Declaration known{.vendor = "Vendor \"quoted\" \\ \x01",
                      .product = "Product",
                      .version = "1",
                      .contact = "someone",
                      .protocol = protocol,
                      .roles = {Role::initiator, Role::responder},
                      .application = applications_of(*protocol).back(),
                      .answer_time = 1.5,
                      .silence_time = 0.125};
    if (!protocol->revisions.empty()) known.revision = protocol->revisions.back().name;
    for (const Feature& one : protocol->features) known.features.emplace_back(one.name);
    for (const Feature& one : protocol->parameters) known.parameters.emplace_back(one.name, "a \"b\"");
    const Declaration again = declared(declaration_text(known));
    EXPECT_EQ(again.vendor, known.vendor);
    EXPECT_EQ(again.contact, known.contact);
    EXPECT_EQ(again.protocol, protocol);
    EXPECT_EQ(again.revision, known.revision);
    EXPECT_EQ(again.roles, known.roles);
    EXPECT_EQ(again.application, known.application);
    EXPECT_EQ(again.features, known.features);
    EXPECT_EQ(again.parameters, known.parameters);
    EXPECT_EQ(again.answer_time, known.answer_time);
    EXPECT_EQ(again.silence_time, known.silence_time);
  }
}

// A new file, with product and version filled in. It claims only what it states.
TEST(Declaration, ANewOneClaimsNothing) {
  for (const Protocol* protocol : protocols()) {
    const std::string text = declaration_text({.protocol = protocol, .roles = {Role::responder}});
    EXPECT_FALSE(parse_declaration("ics.toml", text)) << "product and version have to be filled in";
    std::string filled = text;
    for (const std::string key : {"product", "version"})
      filled.replace(filled.find("\n" + key + " = \"\""), key.size() + 6, "\n" + key + " = \"x\"");
    const Declaration one = declared(filled);
    EXPECT_TRUE(one.features.empty());
    EXPECT_TRUE(one.parameters.empty());
    EXPECT_TRUE(one.revision.empty());
    for (const Feature& feature : protocol->features) EXPECT_THAT(text, HasSubstr(feature.name));
    for (const Feature& parameter : protocol->parameters)
      EXPECT_THAT(text, HasSubstr(fmt::format("\n# {} = \"\"\n", parameter.name)));
  }
}

TEST(Features, EachHasARowAndEachRowIsOfAFeatureAndOfRulesThatThereAre) {
  for (const Protocol* protocol : protocols())
    for (const Feature& one : protocol->features) EXPECT_TRUE(find_feature(protocol->name, one.name)) << one.name;
  for (const FeatureRow& row : feature_rows()) {
    const Protocol* const protocol = find_protocol(row.protocol);
    ASSERT_TRUE(protocol) << row.protocol;
    EXPECT_EQ(std::ranges::count(protocol->features, row.feature, &Feature::name) +
                  std::ranges::count(protocol->parameters, row.feature, &Feature::name),
              1)
        << row.feature;
    for (const std::string_view glob : row.rules)
      EXPECT_TRUE(std::ranges::any_of(protocol->catalogue().rules(), [&](const Rule* rule) {
        return matches_glob(glob, rule->id);
      })) << glob;
    for (const std::string_view glob : row.cases)
      EXPECT_TRUE(std::ranges::any_of(protocol->cases(), [&](const Case& one) { return matches_glob(glob, one.id); }))
          << glob;
  }
}

TEST(Applicability, DependsOnTheRoleAndOnWhatIsDeclared) {
  const Protocol& rdmap = *find_protocol("rdmap");
  const Declaration plain = declared(kHead + "[conformance]\nprotocol = \"rdmap\"\nroles = [\"responder\"]\n");
  Declaration extended = plain;
  extended.features = {"rfc7306"};
  std::size_t conditional = 0, of_role = 0;
  for (const Rule* rule : rdmap.catalogue().rules()) {
    const Asked asked = asked_of(*rule, rdmap, plain, Role::responder);
    const Asked extra = asked_of(*rule, rdmap, extended, Role::responder);
    const Asked other = asked_of(*rule, rdmap, plain, Role::initiator);
    EXPECT_NE(asked.demand, Demand::conditional) << rule->id;
    const bool is_set_aside = asked.demand == Demand::not_applicable || asked.demand == Demand::incidental ||
                              asked.demand == Demand::not_testable;
    EXPECT_EQ(is_set_aside, !asked.why.empty()) << rule->id;
    if (extra.demand == Demand::conditional) {
      ++conditional;
      EXPECT_EQ(asked.demand, Demand::not_applicable) << rule->id;
      EXPECT_THAT(asked.why, HasSubstr("rfc7306 is not declared"));
      EXPECT_TRUE(is_mandatory(rule->level));
    }
    of_role += asked.counts() != other.counts() ? 1 : 0;
    EXPECT_TRUE(is_mandatory(rule->level) || !asked.counts()) << rule->id;
    EXPECT_TRUE(rule->observable == Observable::trace || rule->observable == Observable::stimulus || !extra.counts())
        << rule->id;
  }
  EXPECT_GT(conditional, 20u);
  EXPECT_GT(of_role, 5u);
}

// A profile demands exactly the rules of a role's cases: no more, so that it can be fulfilled, and no less.
TEST(Applicability, WhatCountsIsWhatCasesOfTheRoleAreAbout) {
  for (const Protocol* protocol : protocols())
    for (const Role tested : {Role::responder, Role::initiator}) {
      const Declaration all{.protocol = protocol, .roles = {tested}};
      std::size_t counted = 0;
      for (const Rule* rule : protocol->catalogue().rules()) {
        const Asked asked = asked_of(*rule, *protocol, all, tested);
        bool of_role = false, of_other = false;
        for (const Case& one : protocol->cases())
          if (std::ranges::find(one.rules, rule) != one.rules.end()) (one.iut == tested ? of_role : of_other) = true;
        if (asked.counts()) {
          ++counted;
          EXPECT_TRUE(of_role) << rule->id;
        }
        if (asked.demand == Demand::incidental) {
          EXPECT_FALSE(of_role) << rule->id;
          EXPECT_EQ(rule->observable, Observable::trace) << rule->id;
        }
        if (asked.demand == Demand::not_testable) {
          EXPECT_FALSE(of_role) << rule->id;
          EXPECT_EQ(rule->observable, Observable::stimulus) << rule->id;
          EXPECT_THAT(asked.why, HasSubstr(of_other ? "only cases of the role" : "no case shows it")) << rule->id;
        }
      }
      EXPECT_GT(counted, 20u) << protocol->name;
    }
}

TEST(Applicability, OfAParameterIsConditionalForItsRoleAlone) {
  const Protocol& umsp = *find_protocol("umsp");
  const Rule* const rule = umsp.catalogue().find("UMSP-5.1.3-3");
  ASSERT_TRUE(rule);
  const Declaration plain = declared(kHead + "[conformance]\nprotocol = \"umsp\"\nroles = [\"initiator\"]\n");
  const Declaration asks = declared(kHead +
                                    "[conformance]\nprotocol = \"umsp\"\nroles = [\"initiator\"]\n"
                                    "[parameters]\njcp = \"peer\"\n");
  EXPECT_EQ(asked_of(*rule, umsp, plain, Role::initiator).why, "jcp is not declared");
  EXPECT_EQ(asked_of(*rule, umsp, asks, Role::initiator).demand, Demand::conditional);
}

TEST(Applicability, ProtocolsBelowAreJudgedAndNotCounted) {
  const Declaration one = declared(kHead + "[conformance]\nprotocol = \"smbd\"\nroles = [\"listener\"]\n");
  const Protocol& rdmap = *find_protocol("rdmap");
  std::size_t supporting = 0;
  for (const Rule* rule : rdmap.catalogue().rules()) {
    const Asked asked = asked_of(*rule, rdmap, one, Role::responder);
    EXPECT_FALSE(asked.counts());
    supporting += asked.demand == Demand::supporting ? 1 : 0;
  }
  EXPECT_GT(supporting, 50u);
}

}  // namespace
}  // namespace wirelaw
