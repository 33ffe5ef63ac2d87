// SPDX-License-Identifier: Apache-2.0
// Decides which findings are kept and which are only counted. A judge asks for each finding that it is about to keep.
// The question is asked again when the findings of several judges, each with a share of the flows, are merged in one
// order.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "conformance/rule.h"

namespace wirelaw {

struct JudgeLimits {
  static constexpr std::size_t kUnlimited = static_cast<std::size_t>(-1);
  std::size_t findings_per_rule_and_flow = 3;  // further findings are counted, not kept
  std::size_t findings = 10'000;  // in total; the first violation and the first warning of each rule are always kept
};

// The category of a finding when it was made (conformance/judge.h). `advice` was never more than a warning.
enum class FindingKind : std::uint8_t { failure, pending, held_back, advice };

// Stored for each kept finding: its place in the order of judging, and what decided that it is kept.
struct FindingOrigin {
  std::uint64_t step = 0;  // Judge::begin_step()
  std::uint64_t flow = 0;  // number of the flow
  FindingKind kind = FindingKind::failure;
};

class FindingRoom {
 public:
  FindingRoom(const JudgeLimits& limits, std::size_t slots) : limits_(limits), kinds_(slots) {}

  // Counts the finding that is about to be kept. The first of each rule and kind always has room, so that a rule that
  // fails shows why.
  bool admit(RuleSlot rule, const FindingOrigin& origin);
  // The kept findings have been handed over.
  void empty() { kept_ = 0; }

 private:
  bool has_room(RuleSlot rule, const FindingOrigin& origin, bool is_first);

  JudgeLimits limits_;
  std::vector<std::array<bool, 4>> kinds_;                  // by Rule::slot: true if a finding of this kind was made
  std::unordered_map<std::uint64_t, std::size_t> of_flow_;  // findings kept, by flow number and rule slot
  std::size_t kept_ = 0;
};

}  // namespace wirelaw
