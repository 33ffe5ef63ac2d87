// SPDX-License-Identifier: Apache-2.0
#include "reports/tap.h"

#include <map>
#include <nlohmann/json.hpp>

#include "reference/octets/hex.h"
#include "reports/bottom_line.h"
#include "reports/coverage.h"
#include "reports/excuse.h"
#include "reports/printable.h"
#include "reports/provenance.h"
#include "reports/text_finding.h"

namespace wirelaw {
namespace {

// A JSON string is also a YAML string.
std::string quoted(std::string_view text) {
  return nlohmann::json(printable(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Escapes '#', which begins a directive.
std::string description(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) escaped += c == '#' ? "\\#" : std::string(1, c);
  return escaped;
}

// One finding of a rule, and the number of findings of this rule.
struct Example {
  const Finding* first = nullptr;
  std::size_t count = 0;
};
using Examples = std::map<const Rule*, Example>;

Examples violations_in(const std::vector<Finding>& findings) {
  Examples examples;
  for (const Finding& one : findings) {
    if (one.severity != Severity::violation) continue;
    Example& example = examples[one.rule];
    if (example.count++ == 0) example.first = &one;
  }
  return examples;
}

class Tap {
 public:
  explicit Tap(const Report& report) : report_(report) {}

  void add_cases(const std::vector<CaseResult>& cases, const std::string& of) {
    for (const CaseResult& one : cases) {
      add_line(Failure::Kind::test_case, one.id, one.verdict, one.reason,
               fmt::format("{}{} {}", of, one.protocol, one.id));
      if (one.verdict == Verdict::fail) put_case(one);
    }
  }

  // `failed`: writes only rules that failed.
  void add_rules(const std::vector<RuleResult>& rules, const std::vector<Finding>& findings, const std::string& of,
                 bool failed) {
    const Examples examples = violations_in(findings);
    const auto seen = protocols_seen(report_.results);
    for (const RuleResult& one : rules) {
      const bool says = one.verdict != Verdict::not_exercised && one.verdict != Verdict::not_applicable;
      if (failed ? one.verdict != Verdict::fail : !says && !seen.contains(protocol_of(*one.rule))) continue;
      add_line(Failure::Kind::rule, one.rule->id, one.verdict, one.reason,
               fmt::format("{}{} {}", of, one.rule->id, one.rule->summary));
      const auto example = examples.find(one.rule);
      if (one.verdict == Verdict::fail) put_rule(*one.rule, example == examples.end() ? Example{} : example->second);
    }
  }

  void add_end() {
    const bool complete = report_.gate.end == RunEnd::complete;
    lines_ += fmt::format("{} {} - wirelaw finished\n", complete ? "ok" : "not ok", ++count_);
    if (complete) return;
    begin();
    put("end", to_string(report_.gate.end));
    put("message", bottom_line(report_));
    end();
  }

  void add_provenance(const RunProvenance& of) {
    lines_ += fmt::format("# command: {}\n# time: {} to {}, on {}\n", printable(in_shell(of.command)), of.started,
                          of.ended, printable(of.machine));
    for (const ReadFile& one : of.files)
      lines_ +=
          fmt::format("# SHA-256: {}  {}\n", one.sha256.empty() ? printable(one.why) : one.sha256, printable(one.name));
  }

  void write(Output& out) const { out.print("TAP version 13\n1..{}\n{}", count_, lines_); }

 private:
  void add_line(Failure::Kind kind, std::string_view id, Verdict verdict, std::string_view reason,
                const std::string& title) {
    const std::string excuse = verdict == Verdict::fail ? excuse_of(report_.gate, kind, id) : std::string();
    std::string directive;
    if (!excuse.empty()) directive = " # TODO " + printable(excuse);
    if (verdict != Verdict::fail && verdict != Verdict::pass && verdict != Verdict::warned)
      directive = " # SKIP " + printable(reason_of(verdict, reason));
    lines_ += fmt::format("{} {} - {}{}\n", verdict == Verdict::fail ? "not ok" : "ok", ++count_, description(title),
                          directive);
  }

  void put_case(const CaseResult& one) {
    begin();
    put("message", one.reason);
    put("purpose", one.purpose);
    std::string ids;
    for (const Rule* rule : one.rules) ids += fmt::format("{}{}", ids.empty() ? "" : ", ", rule->id);
    lines_ += fmt::format("  rules: [{}]\n", ids);
    if (one.first_frame > 0) lines_ += fmt::format("  frames: [{}, {}]\n", one.first_frame, one.last_frame);
    end();
  }

  void put_rule(const Rule& rule, const Example& example) {
    begin();
    put("severity", to_string(rule.level));
    put("section", rule.section);
    lines_ += fmt::format("  findings: {}\n", example.count);
    if (const Finding* const one = example.first) {
      put("at", where_of(*one));
      if (const std::string when = when_of(one->occasion); !when.empty()) put("case", when);
      put("wanted", one->expected);
      put("found", one->actual);
      if (one->length > 0) put("octets", to_hex(one->octets));
      if (!one->explanation.empty()) put("explanation", one->explanation);
    }
    put("explain", fmt::format("wirelaw explain {}", rule.id));
    end();
  }

  void begin() { lines_ += "  ---\n"; }
  void put(std::string_view key, std::string_view value) { lines_ += fmt::format("  {}: {}\n", key, quoted(value)); }
  void end() { lines_ += "  ...\n"; }

  const Report& report_;
  std::size_t count_ = 0;
  std::string lines_;
};

}  // namespace

void write_tap(const Report& report, Output& out) {
  Tap tap(report);
  tap.add_cases(report.results.cases, {});
  for (const RecordedRun& run : report.results.runs) {
    const std::string of = fmt::format("recorded run of {}: ", run.file);
    tap.add_cases(run.cases, of);
    tap.add_rules(run.rules, run.findings, of, /*failed=*/true);
  }
  tap.add_rules(report.results.rules, report.results.findings, {}, /*failed=*/false);
  tap.add_end();
  if (report.provenance != nullptr) tap.add_provenance(*report.provenance);
  tap.write(out);
}

}  // namespace wirelaw
