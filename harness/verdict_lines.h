// SPDX-License-Identifier: Apache-2.0
// For tests: the results of a run and of its recording, as lines that can be compared.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "conformance/case.h"
#include "conformance/protocol.h"
#include "conformance/verdict.h"

namespace wirelaw {

// One line for each rule that the trace alone shows. Rules that a case counts itself are left out.
inline std::vector<std::string> trace_verdicts(const Results& results, const Protocol& protocol) {
  const auto of_case = [&](const Rule* rule) {
    return std::ranges::any_of(protocol.cases(), [&](const Case& one) {
      return one.id.find('/') != std::string_view::npos && std::ranges::count(one.rules, rule) > 0;
    });
  };
  std::vector<std::string> verdicts;
  for (const RuleResult& one : results.rules) {
    const auto of_protocol = protocol.catalogue().rules();
    if (one.rule->observable != Observable::trace || std::ranges::count(of_protocol, one.rule) == 0) continue;
    if (of_case(one.rule)) continue;
    verdicts.push_back(fmt::format("{}: exercised {}, failed {}", one.rule->id, one.exercised, one.failed));
  }
  return verdicts;
}

inline std::vector<std::string> flow_lines(const Results& results) {
  std::vector<std::string> lines;
  for (const FlowResult& one : results.flows)
    lines.push_back(fmt::format("{}: {} {} {} '{}'", one.id, one.messages, one.octets, to_string(one.state), one.note));
  std::ranges::sort(lines);
  return lines;
}

inline std::vector<std::string> finding_lines(const Results& results) {
  std::vector<std::string> lines;
  for (const Finding& one : results.findings)
    lines.push_back(
        fmt::format("{} {} {} frame {} message {}", one.rule->id, one.flow, one.sender, one.frame, one.message));
  return lines;
}

}  // namespace wirelaw
