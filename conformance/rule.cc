// SPDX-License-Identifier: Apache-2.0
#include "conformance/rule.h"

#include <array>

#include "conformance/breach.h"
#include "conformance/verdict.h"

namespace wirelaw {

std::string_view to_string(Level level) {
  static constexpr std::array<std::string_view, 6> kNames{"MUST",       "MUST NOT", "SHOULD",
                                                          "SHOULD NOT", "MAY",      "OBSOLETE"};
  return kNames[static_cast<std::size_t>(level)];
}

std::string_view to_string(Observable observable) {
  static constexpr std::array<std::string_view, 4> kNames{"trace", "stimulus", "api", "none"};
  return kNames[static_cast<std::size_t>(observable)];
}

std::string_view to_string(Evidence evidence) {
  static constexpr std::array<std::string_view, 3> kNames{"octets", "absence", "order"};
  return kNames[static_cast<std::size_t>(evidence)];
}

std::string_view to_string(Completeness completeness) {
  static constexpr std::array<std::string_view, 3> kNames{"complete", "unknown", "incomplete"};
  return kNames[static_cast<std::size_t>(completeness)];
}

std::string_view to_string(Verdict verdict) {
  static constexpr std::array<std::string_view, 7> kNames{"pass",           "fail",    "inconclusive", "not-exercised",
                                                          "not-applicable", "skipped", "warned"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view to_string(Severity severity) {
  return severity == Severity::violation ? "violation" : "warning";
}

std::string_view to_string(FlowState state) {
  static constexpr std::array<std::string_view, 3> kNames{"judged", "partial", "unrecognised"};
  return kNames[static_cast<std::size_t>(state)];
}

std::vector<Breach> breaches_of(std::span<const Rule* const> rules) {
  std::vector<Breach> all;
  for (const Rule* const rule : rules)
    for (const BrokenBy& by : rule->broken_by) {
      if (by.group.empty()) all.emplace_back(by.deviation, by, *rule);
      for (const unsigned one : by.group) all.emplace_back(one, by, *rule);
    }
  return all;
}

bool matches_glob(std::string_view pattern, std::string_view text) {
  // On a mismatch, the last `*` takes one more character. No recursion, and constant memory.
  constexpr auto kNone = std::string_view::npos;
  std::size_t p = 0, t = 0, star = kNone, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != kNone) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace wirelaw
