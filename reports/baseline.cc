// SPDX-License-Identifier: Apache-2.0
#include "reports/baseline.h"

#include "reports/result_file.h"

namespace wirelaw {
namespace {

constexpr std::string_view kHint = "a baseline is what `wirelaw check --format json -o FILE` wrote";

Baseline of_file(const ResultFile& result) {
  Baseline baseline;
  baseline.protocols = protocols_of(result);
  for (const ResultFile::Rule& one : result.rules)
    if (one.verdict == "fail") baseline.failed_rules.insert(one.id);
  for (const ResultFile::Case& one : result.cases)
    if (one.verdict == "fail") baseline.failed_cases.insert(one.id);
  return baseline;
}

}  // namespace

Baseline baseline_of(const Results& results) {
  Baseline baseline;
  for (const RuleResult& one : results.rules)
    if (one.verdict == Verdict::fail) baseline.failed_rules.emplace(one.rule->id);
  for (const CaseResult& one : results.cases)
    if (one.verdict == Verdict::fail) baseline.failed_cases.insert(one.id);
  return baseline;
}

tl::expected<Baseline, std::string> parse_baseline(const std::string& name, const std::string& json) {
  return parse_result(name, json, kHint).map(of_file);
}

tl::expected<Baseline, std::string> read_baseline(const std::string& path) {
  return read_result_file(path, kHint).map(of_file);
}

}  // namespace wirelaw
