// SPDX-License-Identifier: Apache-2.0
#include "harness/certify/statement.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/script/syntax.h"
#include "conformance/stack.h"
#include "harness/certify/applicability.h"
#include "harness/certify/features.h"
#include "harness/certify/over_runs.h"
#include "harness/certify/specification.h"
#include "reports/gate.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

using Json = StatementJson;

bool is_exercised(std::string_view verdict) {
  return verdict == "pass" || verdict == "warned" || verdict == "fail" || verdict == kUnstable;
}

Json json_of(const Waiver& one) {
  return {{"kind", one.is_of_case ? "case" : "rule"},
          {"id", one.id},
          {"reason", one.reason},
          {"owner", one.owner},
          {"until", to_string(one.until)},
          {"link", one.link}};
}

// Counts of the rules that a profile asks for.
struct Coverage {
  std::size_t applicable = 0, exercised = 0, failed = 0;

  void add(bool is, bool has_failed = false) {
    ++applicable;
    exercised += is ? 1 : 0;
    failed += has_failed ? 1 : 0;
  }
  bool reaches(unsigned percent) const { return applicable > 0 && exercised * 100 >= applicable * percent; }
};

class Builder {
 public:
  Builder(const EvidenceSet& evidence, const ProgramIdentity& program)
      : evidence_(evidence),
        program_(program),
        together_(runs_together(evidence, day_of(evidence.provenance.issued).value_or(std::chrono::sys_days{}))) {}

  Json build() {
    Json rules = rules_of(), cases = cases_of(), features = features_of();
    Json statement;
    statement["schema"] = kStatementSchema;
    statement["certificate"] = certificate();
    statement["implementation"] = implementation();
    statement["specification"] = specification();
    statement["declaration"] = declaration();
    statement["program"] = program();
    statement["provenance"] = {{"id", evidence_.provenance.id},
                               {"issued", evidence_.provenance.issued},
                               {"laboratory", evidence_.provenance.laboratory},
                               {"issuer", evidence_.provenance.issuer},
                               {"machine", evidence_.provenance.machine},
                               {"peer", evidence_.provenance.peer}};
    statement["runs"] = runs();
    statement["coverage"] = coverage();
    statement["features"] = std::move(features);
    statement["rules"] = std::move(rules);
    statement["cases"] = std::move(cases);
    statement["waivers"] = waivers();
    statement["evidence"] = files();
    return statement;
  }

 private:
  // --- verdicts
  Json rules_of() {
    Json list = Json::array();
    for (const Protocol* owner : stack_of(*evidence_.declaration.protocol, protocols()))
      for (const Rule* rule : owner->catalogue().rules()) {
        const auto found = together_.rules.find(rule->id);
        if (found != together_.rules.end()) list.push_back(rule_entry(*rule, *owner, found->second));
      }
    return list;
  }

  Json rule_entry(const Rule& rule, const Protocol& owner, const OverRuns& over) {
    const Asked asked = asked_of(rule, owner, evidence_.declaration, evidence_.role);
    if (asked.counts()) {
      coverage_.add(is_exercised(over.verdict));
      sections_.push_back({rule.section, is_exercised(over.verdict), over.refuses() && over.waiver == nullptr});
      if (!is_exercised(over.verdict)) missing_.push_back(rule.id);
    }
    if (asked.demand == Demand::incidental) incidental_.add(is_exercised(over.verdict));
    if (asked.demand == Demand::not_testable) ++not_testable_;
    if (over.refuses() && over.waiver == nullptr && is_mandatory(rule.level))
      against_.push_back(fmt::format("{} ({}): {}", rule.id, to_string(rule.level), over.said()));
    Json entry{{"id", rule.id},           {"protocol", owner.name},  {"level", to_string(rule.level)},
               {"section", rule.section}, {"summary", rule.summary}, {"demand", to_string(asked.demand)},
               {"why", asked.why}};
    put_verdict(over, entry);
    entry["cases"] = cases_with(rule.id);
    entry["violations"] = violations_of(rule.id);
    return entry;
  }

  void put_verdict(const OverRuns& over, Json& entry) {
    entry["verdict"] = over.waiver == nullptr ? over.verdict : std::string(kWaived);
    if (over.waiver != nullptr) {
      entry["waived"] = over.verdict;
      entry["waiver"] = json_of(*over.waiver);
      is_waived_ = true;
    }
    entry["runs"] = over.verdicts;
  }

  // The cases that were run, and name the rule.
  Json cases_with(std::string_view rule) const {
    Json ids = Json::array();
    if (evidence_.runs.empty()) return ids;
    for (const ResultFile::Case& one : evidence_.runs.front().result.cases)
      if (one.verdict != "skipped" && std::ranges::count(one.rules, rule) > 0) ids.push_back(one.id);
    return ids;
  }

  Json violations_of(std::string_view rule) const {
    constexpr std::size_t kMost = 3;  // for each run
    Json list = Json::array();
    for (const CertifiedRun& run : evidence_.runs) {
      std::size_t count = 0;
      for (const ResultFile::Finding& one : run.result.findings)
        if (one.rule == rule && one.severity == "violation" && ++count <= kMost)
          list.push_back({{"run", run.number},
                          {"frame", one.frame},
                          {"case", one.in_case},
                          {"shown_by", one.shown_by},
                          {"expected", one.expected},
                          {"actual", one.actual}});
    }
    return list;
  }

  Json cases_of() {
    Json list = Json::array();
    if (evidence_.runs.empty()) return list;
    for (const ResultFile::Case& one : evidence_.runs.front().result.cases) {
      const OverRuns& over = together_.cases.at(one.id);
      Json frames = Json::array(), reasons = Json::array();
      for (const CertifiedRun& run : evidence_.runs) {
        const auto same = std::ranges::find(run.result.cases, one.id, &ResultFile::Case::id);
        const bool is_there = same != run.result.cases.end();
        frames.push_back(is_there && same->first_frame > 0 ? Json{same->first_frame, same->last_frame} : Json::array());
        reasons.push_back(is_there ? same->reason : std::string());
      }
      const bool is_own = one.id.starts_with(script::kCasePrefix);
      const bool counts = is_own ? over.count("pass") < over.verdicts.size() : over.refuses() && weighs(one);
      if (counts && over.waiver == nullptr)
        against_.push_back(fmt::format("{} {}: {}", is_own ? "own case" : "case", one.id, over.said()));
      Json entry{{"id", one.id}, {"own", is_own}, {"rules", one.rules}};
      put_verdict(over, entry);
      entry["reasons"] = std::move(reasons);
      entry["frames"] = std::move(frames);
      list.push_back(std::move(entry));
    }
    return list;
  }

  // Returns false for a case that fails only recommendations and waived rules, as in the exit status of a run
  // (gate.cc).
  bool weighs(const ResultFile::Case& one) const {
    bool any = false;
    for (const std::string& id : one.rules) {
      const auto over = together_.rules.find(id);
      if (over == together_.rules.end() || !over->second.refuses()) continue;
      any = true;
      if (over->second.waiver != nullptr) continue;
      for (const Protocol* owner : stack_of(*evidence_.declaration.protocol, protocols()))
        if (const Rule* const rule = owner->catalogue().find(id); rule != nullptr && is_mandatory(rule->level))
          return true;
    }
    return !any;
  }

  Json features_of() {
    Json list = Json::array();
    const bool seen =
        std::ranges::any_of(evidence_.runs, [](const CertifiedRun& run) { return !run.capture_file.empty(); });
    for (const Feature& one : evidence_.declaration.protocol->features) {
      const bool declared = evidence_.declaration.declares(one.name);
      const auto shown = static_cast<std::size_t>(std::ranges::count_if(
          evidence_.runs, [&](const CertifiedRun& run) { return run.features.contains(std::string(one.name)); }));
      const FeatureRow* const row = find_feature(evidence_.declaration.protocol->name, one.name);
      const bool observable = seen && row != nullptr && !row->sign.field.empty();
      const std::string_view verdict = !observable             ? "not-known"
                                       : declared && shown > 0 ? "shown"
                                       : declared              ? "declared-not-shown"
                                       : shown > 0             ? "shown-not-declared"
                                                               : "not-declared";
      if (verdict == "declared-not-shown")
        against_.push_back(fmt::format("feature {}: declared, but not shown", one.name));
      if (verdict == "shown-not-declared")
        against_.push_back(fmt::format("feature {}: shown, but not declared", one.name));
      list.push_back({{"name", one.name}, {"declared", declared}, {"shown_in_runs", shown}, {"verdict", verdict}});
    }
    return list;
  }

  // --- the result
  Json certificate() {
    const Profile& profile = *evidence_.profile;
    std::vector<std::string> reasons;
    if (!evidence_.cases.empty()) reasons.emplace_back("not all cases were selected");
    if (evidence_.runs.size() < profile.runs)
      reasons.push_back(fmt::format("{}, but profile {} requires {}", counted(evidence_.runs.size(), "run"),
                                    profile.name, profile.runs));
    for (const CertifiedRun& run : evidence_.runs)
      if (run.result.end != "complete")
        reasons.push_back(run.result.end == to_string(RunEnd::peer_died)
                              ? fmt::format("the peer died in run {}", run.number)
                              : fmt::format("run {} is not complete: {}", run.number, run.result.end));
    if (!coverage_.reaches(profile.percent))
      reasons.push_back(fmt::format("{} of {} demanded rules were exercised, but profile {} requires {} %",
                                    coverage_.exercised, coverage_.applicable, profile.name, profile.percent));
    reasons.insert(reasons.end(), against_.begin(), against_.end());
    return {{"verdict", !reasons.empty() ? "refused"
                        : is_waived_     ? "granted-with-waivers"
                                         : "granted"},
            {"profile", profile.name},
            {"requires", {{"runs", profile.runs}, {"percent", profile.percent}}},
            {"reasons", reasons}};
  }

  Json coverage() const {
    Json sections = Json::array();
    std::vector<std::pair<std::string_view, Coverage>> counts;
    for (const auto& [section, exercised, failed] : sections_) {
      auto at = std::ranges::find(counts, section, &std::pair<std::string_view, Coverage>::first);
      if (at == counts.end()) at = counts.insert(counts.end(), {section, {}});
      at->second.add(exercised, failed);
    }
    for (const auto& [section, count] : counts)
      sections.push_back({{"section", section},
                          {"applicable", count.applicable},
                          {"exercised", count.exercised},
                          {"failed", count.failed}});
    return {{"applicable", coverage_.applicable},
            {"exercised", coverage_.exercised},
            {"not_exercised", missing_},
            {"incidental", {{"rules", incidental_.applicable}, {"exercised", incidental_.exercised}}},
            {"not_testable", not_testable_},
            {"sections", std::move(sections)}};
  }

  // --- implementation and tester
  Json implementation() const {
    const Declaration& one = evidence_.declaration;
    return {{"vendor", one.vendor}, {"product", one.product}, {"version", one.version}, {"contact", one.contact}};
  }

  Json specification() const {
    const Protocol& protocol = *evidence_.declaration.protocol;
    const Specification* const one = find_specification(protocol.name);
    return {{"protocol", protocol.title},
            {"title", one == nullptr ? protocol.title : one->title},
            {"edition", one == nullptr ? std::string_view() : one->edition}};
  }

  Json declaration() const {
    const Declaration& one = evidence_.declaration;
    Json roles = Json::array(), parameters = Json::object();
    for (const Role role : one.roles) roles.push_back(word_of(*one.protocol, role));
    for (const auto& [name, value] : one.parameters) parameters[name] = value;
    return {{"file", kDeclarationFile},
            {"protocol", one.protocol->name},
            {"revision", one.revision},
            {"roles", std::move(roles)},
            {"tested_role", word_of(*one.protocol, evidence_.role)},
            {"application", one.application},
            {"features", one.features},
            {"parameters", std::move(parameters)},
            {"limits", {{"answer_time", one.answer_time}, {"silence_time", one.silence_time}}},
            {"selected_cases", evidence_.cases}};
  }

  Json program() const {
    return {{"name", "wirelaw"},
            {"version", program_.version},
            {"commit", program_.commit},
            {"rules_sha256", program_.judged_by.rules},
            {"cases_sha256", program_.judged_by.cases},
            {"rulings_sha256", program_.judged_by.rulings}};
  }

  Json runs() const {
    Json list = Json::array();
    for (const CertifiedRun& run : evidence_.runs) {
      Json entry{{"run", run.number},
                 {"id", run.result.identity ? run.result.identity->run : std::string()},
                 {"seed", nullptr},
                 {"end", run.result.end},
                 {"exit_status", run.result.exit_status},
                 {"result", run.result_file},
                 {"capture", run.capture_file},
                 {"why_no_capture", run.why_no_capture}};
      if (run.seed) entry["seed"] = *run.seed;
      list.push_back(std::move(entry));
    }
    return list;
  }

  Json waivers() const {
    Json list = Json::array();
    const auto add = [&](const std::vector<const Waiver*>& waivers, std::string_view state) {
      for (const Waiver* one : waivers) {
        list.push_back(json_of(*one));
        list.back()["state"] = state;
      }
    };
    add(together_.used, "used");
    add(together_.expired, "expired");
    add(together_.unused, "unused");
    return list;
  }

  Json files() const {
    Json list = Json::array();
    for (const EvidenceFile& one : evidence_.files)
      list.push_back({{"file", one.name}, {"octets", one.digest.octets}, {"sha256", one.digest.sha256}});
    return list;
  }

  const EvidenceSet& evidence_;
  const ProgramIdentity& program_;
  const RunsTogether together_;
  Coverage coverage_, incidental_;
  std::size_t not_testable_ = 0;  // rules that no case of this role can test
  struct InSection {
    std::string_view section;
    bool exercised, failed;
  };
  std::vector<InSection> sections_;  // for each rule that counts
  std::vector<std::string_view> missing_;
  std::vector<std::string> against_;
  bool is_waived_ = false;
};

}  // namespace

StatementJson statement_of(const EvidenceSet& evidence, const ProgramIdentity& program) {
  return Builder(evidence, program).build();
}

std::string text_of(const StatementJson& statement) {
  return statement.dump(1, ' ', false, StatementJson::error_handler_t::replace) + "\n";
}

}  // namespace wirelaw
