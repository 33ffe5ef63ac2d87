// SPDX-License-Identifier: Apache-2.0
// Tests of the texts that people read about every rule and case of every protocol.
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "conformance/protocol.h"

namespace wirelaw {
namespace {

using testing::HasSubstr;
using testing::Not;

bool starts_a_sentence(std::string_view text) {
  return !text.empty() && std::islower(static_cast<unsigned char>(text.front())) == 0;
}

class EachProtocol : public testing::TestWithParam<const Protocol*> {};
INSTANTIATE_TEST_SUITE_P(Protocols, EachProtocol, testing::ValuesIn(protocols()),
                         [](const auto& one) { return std::string(one.param->name); });

// A reader of one rule does not see the rule before it, so no note refers to that one.
TEST_P(EachProtocol, GivesAReasonForEachRuleThatNoTraceOrStimulusShows) {
  for (const Rule* rule : GetParam()->catalogue().rules()) {
    const bool needs_reason =
        rule->observable == Observable::none || rule->observable == Observable::api || rule->level == Level::obsolete;
    if (needs_reason) {
      EXPECT_TRUE(starts_a_sentence(rule->note)) << rule->id << ": " << rule->note;
    }
    EXPECT_THAT(std::string(rule->note), Not(HasSubstr("likewise"))) << rule->id;
  }
}

TEST_P(EachProtocol, SaysInOneSentenceWhatEachCaseDemands) {
  ASSERT_FALSE(GetParam()->cases().empty());
  for (const Case& one : GetParam()->cases()) {
    EXPECT_TRUE(starts_a_sentence(one.purpose)) << one.id << ": " << one.purpose;
    EXPECT_TRUE(one.purpose.ends_with('.')) << one.id << ": " << one.purpose;
    EXPECT_EQ(one.purpose.find(". "), std::string_view::npos) << one.id << ": " << one.purpose;
    EXPECT_EQ(one.purpose.find(" behind "), std::string_view::npos) << one.id << ": " << one.purpose;
  }
}

}  // namespace
}  // namespace wirelaw
