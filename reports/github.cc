// SPDX-License-Identifier: Apache-2.0
#include "reports/github.h"

#include <algorithm>
#include <map>

#include "reports/bottom_line.h"
#include "reports/html/conversation.h"
#include "reports/printable.h"
#include "reports/text.h"
#include "reports/text_finding.h"

namespace wirelaw {
namespace {

constexpr std::size_t kShown = 10;  // the number of annotations of each kind that GitHub shows in a step

// Escapes text so that no part of it is read as another command, or as another property of this one.
std::string escaped(std::string_view text, bool in_property) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '%')
      out += "%25";
    else if (in_property && c == ':')
      out += "%3A";
    else if (in_property && c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

class Annotations {
 public:
  explicit Annotations(Output& out) : out_(out) {}
  void add(std::string_view command, std::string_view title, std::string_view file, std::string_view message) {
    if (counts_[std::string(command)]++ >= kShown) return;
    out_.print("::{} title={}", command, escaped(title, true));
    if (!file.empty()) out_.print(",file={}", escaped(file, true));
    out_.print("::{}\n", escaped(message, false));
  }
  void close() {
    for (const auto& [command, count] : counts_)
      if (count > kShown)
        out_.print("::notice title=wirelaw::{} like these ({}) are in the report\n",
                   counted(count - kShown, "more annotation"), command);
  }

 private:
  Output& out_;
  std::map<std::string, std::size_t> counts_;
};

std::string input_of(const Report& report, std::size_t finding) {
  const bool known = report.evidence != nullptr && finding < report.evidence->input_of_finding.size();
  const std::size_t input = known ? report.evidence->input_of_finding[finding] : 0;
  return input < report.results.inputs.size() ? report.results.inputs[input].name : std::string();
}

// Adds one annotation for each rule and severity, with the number of similar findings.
void add_findings(const Report& report, Annotations& all) {
  const auto& findings = report.results.findings;
  std::map<std::pair<const Rule*, Severity>, std::size_t> counts;
  for (const Finding& one : findings) ++counts[{one.rule, one.severity}];
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& one = findings[i];
    std::size_t& count = counts[{one.rule, one.severity}];
    if (count == 0) continue;
    const bool fails =
        one.severity == Severity::violation && std::ranges::any_of(report.gate.regressions, [&](const Failure& each) {
          return each.kind == Failure::Kind::rule && each.id == one.rule->id;
        });
    all.add(fails ? "error" : "warning", fmt::format("{} {}", one.rule->id, to_string(one.rule->level)),
            input_of(report, i),
            fmt::format("{} {} ({}){}", one.rule->summary, one_line(one), where_of(one),
                        count > 1 ? fmt::format("; {} like it", counted(count - 1, "more finding")) : ""));
    count = 0;
  }
}

void add_cases(const Report& report, const std::vector<CaseResult>& cases, Annotations& all) {
  for (const CaseResult& one : cases)
    if (std::ranges::any_of(report.gate.regressions, [&](const Failure& each) {
          return each.kind == Failure::Kind::test_case && each.id == one.id;
        }))
      all.add("error", fmt::format("case {}", one.id), {}, one.reason.empty() ? one.purpose : one.reason);
}

}  // namespace

void write_github(const Report& report, Output& out) {
  Annotations all(out);
  add_findings(report, all);
  add_cases(report, report.results.cases, all);
  for (const RecordedRun& run : report.results.runs) add_cases(report, run.cases, all);
  if (report.gate.end != RunEnd::complete) all.add("error", "wirelaw", {}, bottom_line(report));
  all.close();
}

}  // namespace wirelaw
