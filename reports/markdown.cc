// SPDX-License-Identifier: Apache-2.0
#include "reports/markdown.h"

#include <algorithm>
#include <array>

#include "reports/bottom_line.h"
#include "reports/coverage.h"
#include "reports/printable.h"
#include "reports/provenance.h"
#include "reports/section_link.h"
#include "reports/text.h"
#include "reports/text_finding.h"

namespace wirelaw {
namespace {

constexpr std::size_t kMost = 50;  // rows of a table

std::string section_of(std::string_view section) {
  const std::string link = section_link(section);
  return link.empty() ? in_markdown(section) : fmt::format("[{}]({})", in_markdown(section), link);
}

template <class Each>
void put_counts(std::string_view what, const std::vector<Each>& all, Output& out) {
  if (all.empty()) return;
  static constexpr std::array kVerdicts{Verdict::fail,          Verdict::warned,        Verdict::pass,
                                        Verdict::inconclusive,  Verdict::not_exercised, Verdict::skipped,
                                        Verdict::not_applicable};
  out.print("| {} | {}", what, all.size());
  for (const Verdict verdict : kVerdicts) out.print(" | {}", std::ranges::count(all, verdict, &Each::verdict));
  out.put(" |\n");
}

void put_more(std::size_t count, std::string_view noun, Output& out) {
  if (count > kMost) out.print("\nand {}\n", counted(count - kMost, noun));
}

void put_findings(const std::vector<Finding>& findings, std::string_view title, Output& out) {
  const auto first = first_violations(findings);
  if (first.empty()) return;
  out.print("\n### {}\n\n| rule | section | expected | actual | first at |\n|---|---|---|---|---|\n", title);
  for (const Finding* one : std::span(first).first(std::min(kMost, first.size())))
    out.print("| **{}** {}<br>{} | {} | {} | {} | {} |\n", in_markdown(one->rule->id), to_string(one->rule->level),
              in_markdown(one->rule->summary), section_of(one->rule->section), in_markdown(one->expected),
              in_markdown(one->actual), in_markdown(where_of(*one)));
  put_more(first.size(), "more rule", out);
}

void put_cases(const std::vector<CaseResult>& cases, std::string_view title, Output& out) {
  std::vector<const CaseResult*> failed;
  for (const CaseResult& one : cases)
    if (one.verdict == Verdict::fail) failed.push_back(&one);
  if (failed.empty()) return;
  out.print("\n### {}\n\n| case | reason |\n|---|---|\n", title);
  for (const CaseResult* one : std::span(failed).first(std::min(kMost, failed.size())))
    out.print("| {} | {} |\n", in_markdown(one->id), in_markdown(one->reason));
  put_more(failed.size(), "more case", out);
}

void put_coverage(const Results& results, Output& out) {
  const auto sections = coverage_by_section(results);
  if (sections.empty()) return;
  out.print("\n<details><summary>Coverage by section: {}</summary>\n\n| section | judged | failed |\n|---|---:|---:|\n",
            kCoverageCounts);
  for (const SectionCoverage& one : sections)
    out.print("| {} | {} of {} | {} |\n", section_of(one.section), one.judged(), one.rules, one.fail);
  out.put("\n</details>\n");
}

void put_provenance(const RunProvenance& of, const Report& report, Output& out) {
  out.print("\n<details><summary>Provenance</summary>\n\n- {}\n- {} to {}, on {}\n- wirelaw {}{}\n",
            in_markdown(in_shell(of.command)), of.started, of.ended, in_markdown(of.machine),
            in_markdown(report.version),
            report.commit.empty() ? std::string() : ", commit " + in_markdown(report.commit));
  for (const ReadFile& one : of.files)
    out.print("- {}: {}\n", in_markdown(one.name), one.sha256.empty() ? in_markdown(one.why) : "SHA-256 " + one.sha256);
  out.put("\n</details>\n");
}

}  // namespace

std::string in_markdown(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_{}[]()<>#+!|~@:";
  std::string out;
  for (const char c : printable(text)) {
    if (c == '&') {
      out += "&amp;";
      continue;
    }
    if (kMarkup.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

namespace {}  // namespace

void write_markdown(const Report& report, Output& out) {
  const Results& results = report.results;
  const std::string subject = in_markdown(report.subject);
  out.print("## wirelaw{}{}\n\n**{}**\n", subject.empty() ? "" : ": ", subject, in_markdown(bottom_line(report)));
  out.put(
      "\n| | all | fail | warned | pass | inconclusive | not exercised | skipped | of another role |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  put_counts("rules", results.rules, out);
  put_counts("cases", results.cases, out);
  for (const RecordedRun& run : results.runs) put_counts("cases of a recorded run", run.cases, out);
  put_findings(results.findings, "Failures, first ones first", out);
  for (const RecordedRun& run : results.runs) put_findings(run.findings, "Findings that only a case can show", out);
  put_cases(results.cases, "Failed cases", out);
  for (const RecordedRun& run : results.runs) put_cases(run.cases, "Failed cases of a recorded run", out);
  put_coverage(results, out);
  if (report.provenance != nullptr) put_provenance(*report.provenance, report, out);
  if (results.problems.empty()) return;
  out.put("\n### Problems with the input\n\n");
  for (const InputProblem& one : std::span(results.problems).first(std::min(kMost, results.problems.size())))
    out.print("- {}\n", in_markdown(one_line(one)));
  put_more(results.problems.size(), "more problem", out);
}

}  // namespace wirelaw
