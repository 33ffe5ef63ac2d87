// SPDX-License-Identifier: Apache-2.0
// Proves that each check can fail. Every rule that a trace can break has a trace for which it alone is reported, and
// one that exercises it without a finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "conformance/judge.h"
#include "conformance/stack.h"
#include "corpora/traces/trace.h"

namespace wirelaw::corpora {
namespace {

using ::testing::ElementsAreArray;

struct TraceCase {
  const Protocol* protocol;
  Trace trace;
};

void PrintTo(const TraceCase& one, std::ostream* out) {
  *out << one.trace.name;
}

std::vector<TraceCase> all_traces() {
  std::vector<TraceCase> all;
  for (const TraceSet& set : all_trace_sets())
    for (const Trace& trace : set.traces) all.push_back({find_protocol(set.protocol), trace});
  return all;
}

std::string test_name(const ::testing::TestParamInfo<TraceCase>& param) {
  std::string name = param.param.trace.name;
  std::ranges::replace_if(
      name, [](char c) { return c == '-' || c == '.'; }, '_');
  if (!param.param.trace.violates.empty()) return "violating_" + name;
  return "conforming_" + std::string(param.param.protocol->name) + "_" + name;
}

// The rules of a protocol and of the protocols below it.
Catalogue catalogue_of(const Protocol& protocol) {
  return catalogue_of_stack(protocol, protocols());
}

class EachTrace : public ::testing::TestWithParam<TraceCase> {};

TEST_P(EachTrace, ReportsItsRuleAndNoOther) {
  const auto& [protocol, trace] = GetParam();
  const Catalogue catalogue = catalogue_of(*protocol);
  Judge judge(catalogue);
  judge_trace(trace, *protocol, judge);
  const auto violations = rules_reported(judge, Severity::violation);
  const auto warnings = rules_reported(judge, Severity::warning);
  std::set<std::string> violated, warned = trace.also_warned;
  if (!trace.violates.empty()) (trace.severity == Severity::violation ? violated : warned).insert(trace.violates);
  EXPECT_THAT(violations, ElementsAreArray(violated));
  EXPECT_THAT(warnings, ElementsAreArray(warned));
}

std::set<std::uint64_t> messages_blamed(const Judge& judge) {
  std::set<std::uint64_t> messages;
  for (const Finding& finding : judge.findings())
    if (finding.severity == Severity::violation) messages.insert(finding.message);
  return messages;
}

// Messages with a violation, except unanswered ones: if one silence leaves several unanswered, the finding names the
// first, which may be missing here.
std::set<std::uint64_t> messages_wrong(const Judge& judge) {
  std::set<std::uint64_t> messages;
  for (const Finding& finding : judge.findings())
    if (finding.severity == Severity::violation && !finding.unanswered) messages.insert(finding.message);
  return messages;
}

// In a stream, the blamed messages may change if the beginning is missing, but the broken rules may not.
void expect_no_other_rule_without_the_beginning(const Protocol& protocol, const Trace& trace) {
  const Catalogue catalogue = catalogue_of(protocol);
  for (std::size_t skipped = 1; skipped < trace.messages.size(); ++skipped) {
    Trace rest = trace;
    rest.from_start = false;
    rest.messages.erase(rest.messages.begin(), rest.messages.begin() + static_cast<std::ptrdiff_t>(skipped));
    Judge judge(catalogue);
    judge_trace(rest, protocol, judge);
    for (const std::string& rule : rules_reported(judge, Severity::violation))
      EXPECT_EQ(rule, trace.violates) << "after " << skipped << " missing";
  }
}

// A capture may begin anywhere: whatever the beginning of a trace lacks, only a faulty message may be blamed.
TEST_P(EachTrace, BlamesNoOtherMessageWhenItsBeginningIsMissing) {
  const auto& [protocol, trace] = GetParam();
  const Catalogue catalogue = catalogue_of(*protocol);
  Judge whole(catalogue);
  judge_trace(trace, *protocol, whole);
  const std::set<std::uint64_t> at_fault = messages_blamed(whole);
  if (trace.is_stream || trace.is_roce) {
    expect_no_other_rule_without_the_beginning(*protocol, trace);
    return;
  }
  for (std::size_t skipped = 1; skipped < trace.messages.size(); ++skipped) {
    Trace rest = trace;
    rest.messages.erase(rest.messages.begin(), rest.messages.begin() + static_cast<std::ptrdiff_t>(skipped));
    Judge judge(catalogue);
    judge_trace(rest, *protocol, judge);
    for (const std::uint64_t message : messages_wrong(judge))
      EXPECT_TRUE(at_fault.contains(message + skipped))
          << "message " << message << " after " << skipped << " missing, of rules "
          << ::testing::PrintToString(rules_reported(judge, Severity::violation));
  }
}

INSTANTIATE_TEST_SUITE_P(Traces, EachTrace, ::testing::ValuesIn(all_traces()), test_name);

TEST(EachCatalogue, EveryRuleThatATraceCanBreakHasAViolatingTrace) {
  for (const Protocol* protocol : protocols()) {
    std::set<std::string, std::less<>> broken;
    for (const TraceCase& one : all_traces()) broken.insert(one.trace.violates);
    for (const Rule* rule : protocol->catalogue().rules()) {
      if (rule->observable != Observable::trace) continue;
      EXPECT_TRUE(broken.contains(rule->id)) << rule->id << " has no violating trace";
    }
  }
}

TEST(EachCatalogue, EveryRuleThatATraceCanBreakIsExercisedByAConformingTrace) {
  for (const Protocol* protocol : protocols()) {
    const Catalogue catalogue = catalogue_of(*protocol);
    Judge judge(catalogue);
    for (const TraceCase& one : all_traces())
      if (one.protocol == protocol && one.trace.violates.empty()) judge_trace(one.trace, *protocol, judge);
    for (const Rule* rule : protocol->catalogue().rules()) {
      if (rule->observable != Observable::trace) continue;
      EXPECT_GT(judge.exercised(*rule), 0u) << rule->id << " is exercised by no conforming trace";
    }
  }
}

// A script whose mark was forgotten would pass as a conforming trace.
TEST(EachCatalogue, ATraceThatIsNamedAfterARuleBreaksIt) {
  for (const TraceCase& one : all_traces()) {
    const std::string& name = one.trace.name;
    const Catalogue catalogue = catalogue_of(*one.protocol);
    for (const Rule* rule : catalogue.rules()) {
      const std::string id(rule->id);
      if (name == id || name.starts_with(id + "-")) {
        EXPECT_EQ(one.trace.violates, id) << name;
      }
    }
  }
}

TEST(EachCatalogue, EveryViolatingTraceNamesARuleOfTheCatalogue) {
  for (const TraceCase& one : all_traces())
    if (!one.trace.violates.empty()) {
      EXPECT_NE(one.protocol->catalogue().find(one.trace.violates), nullptr) << one.trace.violates;
    }
}

// The ids that the sources in conformance/PROTOCOL/ declare.
std::vector<std::string> declared_by(const Protocol& protocol) {
  const std::filesystem::path folder = std::filesystem::path(WIRELAW_SOURCE_DIR "/conformance") / protocol.name;
  std::vector<std::string> ids;
  if (!std::filesystem::exists(folder)) return ids;  // the protocol's rules are declared elsewhere
  const std::regex id("\"([A-Z][A-Z0-9]+-[A-Za-z0-9.]+-[0-9]+)\"");
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".cc" || file.path().filename().string().ends_with("_test.cc")) continue;
    std::ifstream in(file.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    for (std::sregex_iterator at(text.begin(), text.end(), id), end; at != end; ++at) ids.push_back((*at)[1].str());
  }
  return ids;
}

// A rule that no catalogue lists would never be counted.
TEST(EachCatalogue, HasEveryRuleThatTheSourcesDeclare) {
  for (const Protocol* protocol : protocols()) {
    const std::vector<std::string> ids = declared_by(*protocol);
    for (const std::string& id : ids) EXPECT_NE(protocol->catalogue().find(id), nullptr) << id;
    if (!ids.empty()) {
      EXPECT_GE(ids.size(), protocol->catalogue().rules().size());
    }
  }
}

TEST(EachCatalogue, RuleIdsAreUniqueAndEveryUnjudgedRuleSaysWhy) {
  for (const Protocol* protocol : protocols()) {
    std::set<std::string_view> ids;
    for (const Rule* rule : protocol->catalogue().rules()) {
      EXPECT_TRUE(ids.insert(rule->id).second) << rule->id << " is listed twice";
      EXPECT_EQ(rule->protocol, protocol->name) << rule->id;
      EXPECT_FALSE(rule->summary.empty()) << rule->id;
      EXPECT_FALSE(rule->section.empty()) << rule->id;
      const bool unjudged =
          rule->observable == Observable::none || rule->observable == Observable::api || rule->level == Level::obsolete;
      if (unjudged) {
        EXPECT_FALSE(rule->note.empty()) << rule->id << " is not judged and does not say why";
      }
    }
  }
}

}  // namespace
}  // namespace wirelaw::corpora
