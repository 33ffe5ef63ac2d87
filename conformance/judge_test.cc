// SPDX-License-Identifier: Apache-2.0
#include "conformance/judge.h"

#include <gtest/gtest.h>

namespace wirelaw {
namespace {

constinit const Rule kFirst{
    "TEST-1-1", Level::must, Role::any, "Test 1", Observable::trace, Evidence::octets, "The first octet is one."};
constinit const Rule kSecond{"TEST-1-2",        Level::should,    Role::any,         "Test 1",
                             Observable::trace, Evidence::octets, "Never looked at."};
constinit const Rule kOld{"TEST-1-3",       Level::obsolete,  Role::any, "Test 1",
                          Observable::none, Evidence::octets, "Gone.",   "replaced by 1-1"};

const Catalogue& catalogue() {
  static const Rule* const kRules[] = {&kFirst, &kSecond, &kOld};
  static const Catalogue kCatalogue{RuleList(kRules)};
  return kCatalogue;
}

struct JudgeTest : ::testing::Test {
  JudgeTest() { judge.enter_flow("flow", "alice", "bob"); }

  bool look_at(OctetBuffer message_octets, Side sender = Side::a) {
    const Message message = message_of(message_octets, sender, index++);
    judge.at(message);
    return judge.require(kFirst, message_octets[0] == 1, octets(0, 1), expected(1), actual(hex(message_octets[0])),
                         [] { return "made only for a finding"; });
  }

  RuleResult result(const Rule& rule) {
    for (const RuleResult& one : judge.rule_results())
      if (one.rule == &rule) return one;
    return {};
  }

  Judge judge{catalogue()};
  std::uint64_t index = 0;
};

TEST_F(JudgeTest, ARuleThatNeverHadItsChanceIsNotExercised) {
  EXPECT_EQ(result(kFirst).verdict, Verdict::not_exercised);
}

TEST_F(JudgeTest, ARuleThatHeldPassesAndIsCounted) {
  EXPECT_TRUE(look_at({1}));
  EXPECT_TRUE(look_at({1}));
  EXPECT_EQ(result(kFirst).verdict, Verdict::pass);
  EXPECT_EQ(result(kFirst).exercised, 2u);
  EXPECT_EQ(result(kSecond).verdict, Verdict::not_exercised);
}

TEST_F(JudgeTest, ABreachIsAFindingWithItsOctets) {
  look_at({1});
  EXPECT_FALSE(look_at({0xab, 0xcd}, Side::b));
  ASSERT_EQ(judge.findings().size(), 1u);
  const Finding& finding = judge.findings()[0];
  EXPECT_EQ(finding.rule, &kFirst);
  EXPECT_EQ(finding.sender, "bob");
  EXPECT_EQ(finding.message, 2u) << "from 1, as frames";
  EXPECT_FALSE(finding.unanswered);
  EXPECT_EQ(finding.octets, OctetBuffer{0xab});
  EXPECT_EQ(finding.expected, "1");
  EXPECT_EQ(finding.actual, "0xab");
  EXPECT_EQ(finding.explanation, "made only for a finding");
  EXPECT_EQ(result(kFirst).verdict, Verdict::fail);
}

TEST_F(JudgeTest, WhatIsAboutNoMessageHasNoNumber) {
  judge.require(kFirst, false, octets(0, 0), expected("a message"), actual("none"));
  judge.at({.sender = Side::b, .index = 4, .frame = 9, .unanswered = true});
  judge.require(kFirst, false, octets(0, 0), expected("an answer"), actual("none"));
  ASSERT_EQ(judge.findings().size(), 2u);
  EXPECT_EQ(judge.findings()[0].message, 0u);
  EXPECT_EQ(judge.findings()[1].message, 5u);
  EXPECT_EQ(judge.findings()[1].sender, "bob");
  EXPECT_TRUE(judge.findings()[1].unanswered);
}

// The first failure and the first warning of a rule are kept, however many other findings there are in the flow or in
// all.
TEST_F(JudgeTest, TheFirstFindingOfARuleIsKeptWhateverTheCaps) {
  Judge small{catalogue(), {.findings_per_rule_and_flow = 1, .findings = 2}};
  const OctetBuffer message{0xab};
  for (std::uint64_t flow = 0; flow < 5; ++flow) {
    small.enter_flow("flow", "alice", "bob");
    small.at(message_of(message, Side::a, flow));
    small.require(kFirst, false, octets(0, 1), expected(1), actual(2));
  }
  small.advise(kSecond, false, octets(0, 1), expected("this"), actual("that"));
  small.advise(kFirst, false, octets(0, 1), expected("this"), actual("that"));
  small.require(kSecond, false, octets(0, 1), expected("this"), actual("that"));
  small.require(kSecond, false, octets(0, 1), expected("this"), actual("that"));
  ASSERT_EQ(small.findings().size(), 5u);
  EXPECT_EQ(small.findings()[2].rule, &kSecond);
  EXPECT_EQ(small.findings()[2].severity, Severity::warning);
  EXPECT_EQ(small.findings()[3].severity, Severity::warning);
  EXPECT_EQ(small.findings()[4].rule, &kSecond);
  EXPECT_EQ(small.findings()[4].severity, Severity::violation);
  EXPECT_EQ(small.findings_dropped(), 4u);
}

TEST_F(JudgeTest, WhatIsHeldBackDoesNotTakeThePlaceOfAFailure) {
  const Rule absence{"TEST-1-4",        Level::must,       Role::any,         "Test 1",
                     Observable::trace, Evidence::absence, "Something comes."};
  const Rule* const rules[] = {&absence};
  const Catalogue one{RuleList(rules)};
  Judge small{one, {.findings_per_rule_and_flow = 1, .findings = 0}};
  small.begin_source(Completeness::unknown);
  small.enter_flow("flow", "alice", "bob");
  small.require(absence, false, octets(0, 0), expected("something"), actual("nothing"));
  small.require(absence, false, octets(0, 0), expected("something"), actual("octets that prove it"), "",
                Evidence::octets);
  small.end_source(Completeness::incomplete);
  ASSERT_EQ(small.findings().size(), 2u);
  EXPECT_EQ(small.findings()[1].severity, Severity::violation);
}

TEST_F(JudgeTest, AFindingSaysInWhichCaseItWasMade) {
  judge.begin_case({.test_case = "a/b", .control = "c/d"});
  judge.speak_for_case(true);
  look_at({2});
  judge.speak_for_case(false);
  judge.begin_case({});
  look_at({2});
  EXPECT_EQ(judge.findings().at(0).occasion.test_case, "a/b");
  EXPECT_EQ(judge.findings()[0].occasion.control, "c/d");
  EXPECT_TRUE(judge.findings()[0].shown_by_case);
  EXPECT_EQ(judge.findings().at(1).occasion.test_case, "");
  EXPECT_FALSE(judge.findings()[1].shown_by_case);
}

TEST_F(JudgeTest, AWarningFailsNothing) {
  judge.advise(kSecond, false, octets(0, 0), expected("this"), actual("that"));
  judge.advise(kSecond, true, octets(0, 0), expected("this"), actual("this"));
  EXPECT_EQ(result(kSecond).verdict, Verdict::warned);
  EXPECT_EQ(result(kSecond).warned, 1u);
  EXPECT_EQ(judge.findings().at(0).severity, Severity::warning);
  EXPECT_EQ(judge.violations(), 0u);
}

TEST_F(JudgeTest, FindingsAreBoundedPerFlowButAllAreCounted) {
  for (int i = 0; i < 10; ++i) look_at({0});
  EXPECT_EQ(judge.findings().size(), JudgeLimits{}.findings_per_rule_and_flow);
  EXPECT_EQ(judge.findings_dropped(), 10 - JudgeLimits{}.findings_per_rule_and_flow);
  EXPECT_EQ(result(kFirst).failed, 10u);
  judge.enter_flow("another", "carol", "dave");
  look_at({0});
  EXPECT_EQ(judge.findings().back().flow, "another");
}

TEST_F(JudgeTest, FindingsStayBoundedPerFlowWhenFlowsAlternate) {
  const FlowNames one{.number = 1, .id = "one", .sides = {"a", "b"}, .judged = {}};
  const FlowNames two{.number = 2, .id = "two", .sides = {"c", "d"}, .judged = {}};
  for (int i = 0; i < 10; ++i) {
    judge.enter_flow(one);
    look_at({0});
    judge.enter_flow(two);
    look_at({0}, Side::b);
  }
  ASSERT_EQ(judge.findings().size(), 2 * JudgeLimits{}.findings_per_rule_and_flow);
  EXPECT_EQ(judge.findings()[0].flow, "one");
  EXPECT_EQ(judge.findings()[1].sender, "d");
}

TEST_F(JudgeTest, ARuleThatIsNotSelectedIsNotReported) {
  judge.select(std::vector<std::string>{"*-2"});
  look_at({0});
  EXPECT_TRUE(judge.findings().empty());
  ASSERT_EQ(judge.rule_results().size(), 1u);
  EXPECT_EQ(judge.rule_results()[0].rule, &kSecond);
}

TEST_F(JudgeTest, ASideThatIsNotJudgedExercisesNothing) {
  judge.enter_flow("live", "tester", "iut", {.a = false, .b = true});
  look_at({0}, Side::a);
  EXPECT_EQ(result(kFirst).exercised, 0u);
  look_at({0}, Side::b);
  EXPECT_EQ(result(kFirst).failed, 1u);
}

TEST_F(JudgeTest, InconclusiveYieldsToAPassAndGivesItsReason) {
  judge.inconclusive(kFirst, "the packet was cut");
  EXPECT_EQ(result(kFirst).verdict, Verdict::inconclusive);
  EXPECT_EQ(result(kFirst).reason, "the packet was cut");
  look_at({1});
  EXPECT_EQ(result(kFirst).verdict, Verdict::pass);
}

TEST_F(JudgeTest, AnObsoleteRuleIsNotApplicableForItsReason) {
  EXPECT_EQ(result(kOld).verdict, Verdict::not_applicable);
  EXPECT_EQ(result(kOld).reason, "replaced by 1-1");
}

TEST(Catalogue, FindsRulesById) {
  EXPECT_EQ(catalogue().find("TEST-1-2"), &kSecond);
  EXPECT_EQ(catalogue().find("TEST-9-9"), nullptr);
}

TEST(Catalogue, PutsTheRulesOfASectionInTheOrderOfTheirNumbers) {
  static constinit const Rule kTenth{"ORDER-2-10",      Level::must,      Role::any, "Order 2",
                                     Observable::trace, Evidence::octets, "Ten."};
  static constinit const Rule kOther{"ORDER-1-1",       Level::must,      Role::any, "Order 1",
                                     Observable::trace, Evidence::octets, "Other."};
  static constinit const Rule kNinth{"ORDER-2-9",       Level::must,      Role::any, "Order 2",
                                     Observable::trace, Evidence::octets, "Nine."};
  static const Rule* const kRules[] = {&kTenth, &kOther, &kNinth};
  const Catalogue ordered{RuleList(kRules)};
  EXPECT_EQ(std::vector(ordered.rules().begin(), ordered.rules().end()),
            (std::vector<const Rule*>{&kNinth, &kTenth, &kOther}));
}

TEST(Glob, MatchesStarsAndQuestionMarks) {
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("RAMCLOUD-ack-*", "RAMCLOUD-ack-5"));
  EXPECT_TRUE(matches_glob("*ack-?", "RAMCLOUD-ack-5"));
  EXPECT_FALSE(matches_glob("*ack-?", "RAMCLOUD-ack-15"));
  EXPECT_FALSE(matches_glob("ack", "RAMCLOUD-ack-5"));
  EXPECT_TRUE(matches_glob("*a*a*b", "aaaaaaaaaaaaaaaaab"));
  EXPECT_FALSE(matches_glob("a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac"));
}

// --- evidence of a breach, and completeness of the source

struct EvidenceTest : JudgeTest {
  void breach(Evidence evidence) {
    judge.at(message_of({}, Side::a, index++));
    judge.require(kFirst, false, octets(0, 0), expected("a request"), actual("none"), "", evidence);
  }
};

TEST_F(EvidenceTest, WhatTheOctetsProveFailsInAnySource) {
  for (const Completeness source : {Completeness::complete, Completeness::unknown, Completeness::incomplete}) {
    judge.begin_source(source);
    breach(Evidence::octets);
    judge.end_source(source);
  }
  EXPECT_EQ(result(kFirst).failed, 3u);
  EXPECT_EQ(result(kFirst).held_back, 0u);
}

TEST_F(EvidenceTest, AbsenceAndOrderFailInACompleteSourceAlone) {
  for (const Evidence evidence : {Evidence::absence, Evidence::order}) {
    // A separate flow, because only the first findings of each flow are kept.
    judge.enter_flow("of its own", "alice", "bob");
    judge.begin_source(Completeness::complete);
    breach(evidence);
    judge.end_source(Completeness::complete);
    for (const Completeness source : {Completeness::unknown, Completeness::incomplete}) {
      judge.begin_source(source);
      breach(evidence);
      judge.end_source(source);
      EXPECT_TRUE(judge.findings().back().held_back);
      EXPECT_EQ(judge.findings().back().severity, Severity::warning);
      EXPECT_EQ(judge.findings().back().evidence, evidence);
    }
  }
  EXPECT_EQ(result(kFirst).failed, 2u);
  EXPECT_EQ(result(kFirst).held_back, 4u);
  EXPECT_EQ(judge.violations(), 2u);
}

TEST_F(EvidenceTest, ARuleOfWhichAllIsHeldBackIsInconclusiveAndSaysWhy) {
  judge.begin_source(Completeness::unknown);
  look_at({1});
  breach(Evidence::absence);
  judge.end_source(Completeness::unknown);
  EXPECT_EQ(result(kFirst).verdict, Verdict::inconclusive);
  EXPECT_NE(result(kFirst).reason, "");
}

TEST_F(EvidenceTest, ASourceThatTurnsOutToBeCompleteSettlesWhatWasHeldBack) {
  judge.begin_source(Completeness::unknown);
  for (int i = 0; i < 5; ++i) breach(Evidence::absence);
  EXPECT_EQ(judge.violations(), 0u);
  judge.end_source(Completeness::complete);
  EXPECT_EQ(result(kFirst).verdict, Verdict::fail);
  EXPECT_EQ(result(kFirst).failed, 5u);
  EXPECT_EQ(result(kFirst).warned, 0u);
  EXPECT_EQ(judge.violations(), 5u);
  for (const Finding& finding : judge.findings()) EXPECT_EQ(finding.severity, Severity::violation);
}

TEST_F(EvidenceTest, OneSourceSettlesNothingOfTheOneBefore) {
  judge.begin_source(Completeness::unknown);
  breach(Evidence::absence);
  judge.end_source(Completeness::unknown);
  judge.begin_source(Completeness::unknown);
  breach(Evidence::absence);
  judge.end_source(Completeness::complete);
  EXPECT_EQ(result(kFirst).failed, 1u);
  EXPECT_EQ(result(kFirst).held_back, 1u);
  EXPECT_EQ(judge.findings()[0].severity, Severity::warning);
  EXPECT_EQ(judge.findings()[1].severity, Severity::violation);
}

TEST_F(EvidenceTest, AFlowThatLacksSomethingIsHeldBackInACompleteSourceToo) {
  const FlowNames flow{.number = 1, .id = "flow", .sides = {"alice", "bob"}, .missing = "octets"};
  judge.begin_source(Completeness::unknown);
  judge.enter_flow(flow);
  breach(Evidence::absence);
  judge.leave_flow();
  judge.end_source(Completeness::complete);
  EXPECT_EQ(result(kFirst).failed, 0u);
  EXPECT_EQ(result(kFirst).held_back, 1u);
}

TEST_F(EvidenceTest, WhatCameBehindAnOrderThatTheSourceDoesNotKnowBlamesNobody) {
  const FlowNames flow{.number = 1, .id = "flow", .sides = {"alice", "bob"}, .order_was_unknown = true};
  judge.enter_flow(flow);
  breach(Evidence::absence);
  EXPECT_EQ(result(kFirst).failed, 0u);
  EXPECT_EQ(result(kFirst).held_back, 1u);
  EXPECT_EQ(judge.findings().back().evidence, Evidence::order) << "more captures of the same kind do not settle it";
  breach(Evidence::octets);
  EXPECT_EQ(result(kFirst).failed, 1u);
  judge.leave_flow();
}

TEST_F(EvidenceTest, OrderThatTheSourceDoesNotKnowBlamesNobody) {
  const FlowNames flow{.number = 1, .id = "flow", .sides = {"alice", "bob"}, .order_unknown = true};
  judge.enter_flow(flow);
  breach(Evidence::order);
  breach(Evidence::absence);  // a later packet of the source may have been sent before it
  EXPECT_EQ(result(kFirst).failed, 0u);
  EXPECT_EQ(result(kFirst).held_back, 2u);
  breach(Evidence::octets);
  EXPECT_EQ(result(kFirst).failed, 1u);
  judge.leave_flow();
}

}  // namespace
}  // namespace wirelaw
