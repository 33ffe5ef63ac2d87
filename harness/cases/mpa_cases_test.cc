// SPDX-License-Identifier: Apache-2.0
// The cases of MPA against the reference peers: the honest one passes each, and each deliberate fault of MPA fails the
// rule that it breaks.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "conformance/rdmap/cases.h"
#include "conformance/rdmap/rdmap.h"
#include "harness/memory_run.h"
#include "harness/peers/reference_peers.h"

namespace wirelaw::rdmap {
namespace {

using std::chrono::minutes;
using testing::IsEmpty;

constexpr wirelaw::Role kResponder = wirelaw::Role::responder;
constexpr wirelaw::Role kInitiator = wirelaw::Role::initiator;

// The cases of MPA that judge a rule, or all of them.
RunOutcome run(wirelaw::Role iut, const MemoryRun& memory, const std::string& rule = "*") {
  const RunOptions options{.iut = iut,
                           .selection = {.cases = {"mpa/*"}, .rules = {rule}},
                           .application = Service::echo,
                           .limits = {.deadline = minutes{10}}};
  return run_in_memory(kProtocol, options, memory).value();
}

std::vector<std::string> neither_passed_nor_skipped(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const CaseResult& one : outcome.results.cases)
    if (one.verdict != Verdict::pass && one.verdict != Verdict::skipped)
      list.push_back(fmt::format("{}: {}: {}", one.id, to_string(one.verdict), one.reason));
  return list;
}

std::vector<std::string> findings(const RunOutcome& outcome) {
  std::vector<std::string> list;
  for (const Finding& one : outcome.results.findings)
    list.push_back(fmt::format("{}: expected {}, got {}: {}", one.rule->id, one.expected, one.actual, one.explanation));
  return list;
}

// The honest peer, as it is and as it may be set up.
struct Honest {
  wirelaw::Role role;
  std::string_view setting;
};
constexpr Honest kHonest[] = {{kResponder, ""},        {kInitiator, ""},           {kResponder, "markers"},
                              {kInitiator, "markers"}, {kResponder, "unenhanced"}, {kInitiator, "unenhanced"}};
class HonestPeer : public testing::TestWithParam<Honest> {};
INSTANTIATE_TEST_SUITE_P(Roles, HonestPeer, testing::ValuesIn(kHonest), [](const auto& honest) {
  return fmt::format("{}{}{}", honest.param.role == kResponder ? "Responder" : "Initiator",
                     honest.param.setting.empty() ? "" : "With", honest.param.setting);
});

MemoryRun set_up(std::string_view setting) {
  MemoryRun memory;
  if (!setting.empty()) memory.settings = {std::string(setting)};
  return memory;
}

TEST_P(HonestPeer, PassesEveryCaseOfMpaWithoutAFinding) {
  const RunOutcome outcome = run(GetParam().role, set_up(GetParam().setting));
  EXPECT_THAT(neither_passed_nor_skipped(outcome), IsEmpty());
  EXPECT_THAT(findings(outcome), IsEmpty());
}

// Which rule tells of a fault. Every deviation of MPA stands here, and every rule of MPA that needs a stimulus.
struct Told {
  std::string_view deviation;  // several, with blanks between; none where the setting is the fault
  wirelaw::Role iut;
  std::string_view rule;
  Severity severity = Severity::violation;
  std::string_view setting = {};
};
void PrintTo(const Told& told, std::ostream* out) {
  *out << told.rule << " of " << told.deviation << told.setting;
}
constexpr Severity kWarning = Severity::warning;
constexpr Severity kViolation = Severity::violation;
constexpr Told kTold[] = {
    {"key-wrong", kResponder, "MPA-7.1.1-3"},
    {"key-wrong", kInitiator, "MPA-7.1.1-1"},
    {"key-of-other-role", kResponder, "MPA-7.1.2-5"},
    {"key-of-other-role", kInitiator, "MPA-7.1.2-1"},
    {"revision-zero", kResponder, "MPA-7.1.1-10"},
    {"revision-zero", kInitiator, "MPA-7.1.1-10"},
    {"revision-three", kResponder, "MPA-7.1.1-10", kWarning},
    {"revision-three", kInitiator, "MPA-7.1.1-10", kWarning},
    {"start-reserved-set", kResponder, "MPA-7.1.1-8"},
    {"start-reserved-set", kInitiator, "MPA-7.1.1-8"},
    {"rejected-bit-in-request", kInitiator, "MPA-7.1.1-7"},
    {"private-data-length-short", kResponder, "MPA-7.1.2-12"},
    {"private-data-length-short", kInitiator, "MPA-7.1.2-6"},
    {"private-data-length-long", kResponder, "MPA-7.1.2-5"},
    {"private-data-length-long", kInitiator, "MPA-7.1.2-1"},
    {"private-data-too-long", kResponder, "MPA-7.1.1-14"},
    {"private-data-too-long", kInitiator, "MPA-7.1.1-14"},
    {"request-cut", kInitiator, "MPA-7.1.2-1"},
    {"request-twice", kInitiator, "MPA-7.1.2-6"},
    {"fpdu-before-reply", kInitiator, "MPA-7.1.2-6"},
    {"reply-before-request", kResponder, "MPA-7.1.2-2"},
    {"reply-missing", kResponder, "MPA-7.1.2-5"},
    {"reply-missing", kResponder, "ECE-10-4"},
    {"reply-missing", kResponder, "ECE-10-5"},
    {"reply-revision-one", kResponder, "ECE-10-1"},
    {"reply-not-enhanced", kResponder, "ECE-10-1"},
    {"reply-enhanced-unasked", kResponder, "ECE-10-2"},
    {"fpdu-before-first", kResponder, "MPA-7.1.2-12"},
    {"fpdu-after-rejection", kInitiator, "MPA-7.1.2-9"},
    {"rejects-everything", kResponder, "MPA-7.1.2-5"},
    {"accepts-bad-key", kResponder, "MPA-7.1.1-2"},
    {"accepts-bad-key", kResponder, "MPA-7.1.2-3"},
    {"accepts-bad-key", kResponder, "MPA-8-4"},
    {"accepts-bad-key", kInitiator, "MPA-7.1.1-4"},
    {"accepts-bad-key", kInitiator, "MPA-7.1.2-7"},
    {"accepts-bad-key", kInitiator, "MPA-7.1.2-10"},
    {"accepts-any-revision", kResponder, "MPA-7.1.1-11", kWarning},
    {"accepts-any-revision", kInitiator, "MPA-7.1.1-11", kWarning},
    {"dies-of-bad-start", kResponder, "MPA-7.1.1-11"},
    {"accepts-long-private-data", kResponder, "MPA-7.1.1-15"},
    {"accepts-long-private-data", kInitiator, "MPA-7.1.1-15"},
    {"accepts-octets-behind-request", kResponder, "MPA-7.1.1-16", kWarning},
    {"dies-of-bad-start", kResponder, "MPA-7.1.1-16"},
    {"dies-of-bad-start", kInitiator, "MPA-7.1.1-16"},
    {"closes-on-reserved-bits", kResponder, "MPA-7.1.1-9"},
    {"closes-on-reserved-bits", kInitiator, "MPA-7.1.1-9"},
    {"closes-on-rejected-bit-in-request", kResponder, "MPA-7.1.1-6"},
    {"closes-on-revision-one", kResponder, "ECE-6-2"},
    {"closes-on-revision-one", kResponder, "ECE-10-4"},
    {"never-times-out", kResponder, "MPA-7.1.2-13", kWarning},
    {"never-times-out", kResponder, "MPA-7.1.2-14", kWarning},
    {"never-times-out", kInitiator, "MPA-7.1.2-14", kWarning},
    {"revision-zero", kInitiator, "MPA-7.1.2-11"},

    {"enhanced-a-not-echoed", kResponder, "ECE-9.2-4"},
    {"enhanced-a-unasked", kResponder, "ECE-9.2-5"},
    {"enhanced-a-unasked", kResponder, "ECE-9.2-11"},
    {"enhanced-no-rtr-bits", kResponder, "ECE-9.2-7"},
    {"enhanced-no-rtr-bits", kInitiator, "ECE-9.2-3", kWarning},
    {"enhanced-rtr-bits-without-a", kResponder, "ECE-9.2-2"},
    {"enhanced-rtr-bits-without-a", kInitiator, "ECE-9.2-1"},
    {"enhanced-ord-above-ird", kResponder, "ECE-9.1-2"},
    {"enhanced-ird-zero", kResponder, "ECE-9.1-3", kWarning},
    {"enhanced-3fff-answered", kResponder, "ECE-9.1-8"},
    {"enhanced-3fff-answered", kResponder, "ECE-9.1-9"},
    {"enhanced-little-endian", kResponder, "ECE-9.2-4"},
    {"insufficient-ird-ignored", kInitiator, "ECE-9.1-5", kWarning},
    {"goes-silent", kInitiator, "ECE-9.1-5"},
    {"rtr-mismatch-ignored", kInitiator, "ECE-9.2-10"},
    {"rtr-missing", kInitiator, "ECE-5-1"},
    {"rtr-not-agreed", kInitiator, "ECE-9.2-9"},
    {"rtr-not-empty", kInitiator, "ECE-5-1"},
    {"zero-length-read-unanswered", kResponder, "ECE-9.2-7"},
    {"zero-length-write-checked", kResponder, "ECE-9.2-7"},
    {"dies-of-bad-start", kResponder, "ECE-12-1"},

    {"crc-wrong", kResponder, "MPA-4.4-6"},
    {"crc-wrong", kInitiator, "MPA-4.4-6"},
    {"crc-off", kResponder, "MPA-4.4-5"},
    {"crc-off", kInitiator, "MPA-4.4-5"},
    {"crc-not-checked", kResponder, "MPA-4.4-11"},
    {"crc-not-checked", kInitiator, "MPA-4.4-11"},
    {"crc-checked-unasked", kResponder, "MPA-4.1-6", kViolation, "no-crc"},
    {"crc-checked-unasked", kInitiator, "MPA-4.1-6", kViolation, "no-crc"},
    {"", kResponder, "MPA-4.4-2", kWarning, "no-crc"},
    {"", kInitiator, "MPA-4.4-2", kWarning, "no-crc"},
    {"terminate-code-wrong", kInitiator, "MPA-8-2"},
    {"terminate-code-wrong", kResponder, "MPA-8-2"},
    {"terminate-code-wrong", kResponder, "MPA-8-3", kViolation, "markers"},
    {"error-ignored", kResponder, "MPA-8-5"},
    {"pad-not-zero", kResponder, "MPA-4.1-3"},
    {"pad-not-zero", kInitiator, "MPA-4.1-3"},
    {"pad-checked", kResponder, "MPA-4.1-5"},
    {"pad-checked", kInitiator, "MPA-4.1-5"},
    {"ulpdu-length-wrong", kResponder, "MPA-4.1-2"},
    {"ulpdu-length-wrong", kInitiator, "MPA-4.1-2"},
    {"goes-silent", kResponder, "MPA-6-3"},
    {"accepts-short-ulpdu", kResponder, "MPA-6-3"},
    {"accepts-short-ulpdu", kInitiator, "MPA-6-3"},
    {"dies-of-short-ulpdu", kResponder, "MPA-6-3"},
    {"dies-of-short-ulpdu", kInitiator, "MPA-6-3"},
    {"send-lost", kResponder, "MPA-5.1-4"},
    {"send-lost", kResponder, "MPA-5.2-1"},
    {"closes-inside-fpdu", kResponder, "MPA-4.1-1"},
    {"closes-inside-fpdu", kInitiator, "MPA-4.1-1"},
    {"markers-missing", kResponder, "MPA-4.3-1"},
    {"markers-missing", kInitiator, "MPA-4.3-1"},
    {"markers-unasked", kResponder, "MPA-7.1.1-5"},
    {"markers-unasked", kInitiator, "MPA-7.1.1-5"},
    {"marker-pointer-wrong", kResponder, "MPA-4.3-3"},
    {"marker-pointer-wrong", kInitiator, "MPA-4.3-3"},
    {"marker-pointer-low-bits", kResponder, "MPA-4.2-3"},
    {"marker-pointer-low-bits", kInitiator, "MPA-4.2-3"},
    {"marker-reserved-set", kResponder, "MPA-4.2-1"},
    {"marker-reserved-set", kInitiator, "MPA-4.2-1"},
    {"send-lost", kResponder, "MPA-4.2-2", kViolation, "markers"},
    {"send-lost", kResponder, "MPA-4.2-4", kViolation, "markers"},
};

class Deviant : public testing::TestWithParam<Told> {};
INSTANTIATE_TEST_SUITE_P(Peers, Deviant, testing::ValuesIn(kTold), [](const auto& told) {
  std::string name = fmt::format("{}_{}{}_{}", told.param.iut == kResponder ? "responder" : "initiator",
                                 told.param.deviation, told.param.setting, told.param.rule);
  std::ranges::replace_if(
      name, [](char c) { return c == '-' || c == '.' || c == ' '; }, '_');
  return name;
});

TEST_P(Deviant, IsToldByTheRuleItBreaks) {
  const Told& told = GetParam();
  MemoryRun memory = set_up(told.setting);
  std::istringstream names{std::string(told.deviation)};
  for (std::string name; names >> name;) memory.deviations.push_back(name);
  const RunOutcome outcome = run(told.iut, memory, std::string(told.rule));
  EXPECT_TRUE(std::ranges::any_of(outcome.results.findings, [&](const Finding& finding) {
    return finding.rule->id == told.rule && finding.severity == told.severity;
  })) << testing::PrintToString(findings(outcome));
}

TEST(StimulusRules, OfMpaHaveACaseAndCanFail) {
  for (const Rule* rule : kProtocol.catalogue().rules()) {
    if (rule->observable != Observable::stimulus) continue;
    if (!rule->id.starts_with("MPA-") && !rule->id.starts_with("ECE-")) continue;
    EXPECT_TRUE(
        std::ranges::any_of(all_cases(), [&](const Case& one) { return std::ranges::count(one.rules, rule) > 0; }))
        << rule->id << " has no case";
    EXPECT_TRUE(std::ranges::any_of(kTold, [&](const Told& told) { return told.rule == rule->id; }))
        << rule->id << " is never told";
  }
}

}  // namespace
}  // namespace wirelaw::rdmap
