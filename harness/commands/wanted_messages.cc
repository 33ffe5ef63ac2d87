// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/wanted_messages.h"

#include <algorithm>

namespace wirelaw {
namespace {

constexpr std::uint64_t kBefore = 8, kBehind = 4;  // messages around that of a finding
constexpr std::uint64_t kFramesBefore = 12;        // for a finding that is about no message
constexpr std::size_t kFindingsOfRule = 3;         // shown with their traffic

std::uint64_t less(std::uint64_t from, std::uint64_t by) {
  return from - std::min(from, by);
}

// The ranges in order, those that touch joined.
template <class Range>
void join(std::vector<Range>& ranges) {
  std::ranges::sort(ranges);
  std::vector<Range> joined;
  for (const Range& one : ranges) {
    if (!joined.empty() && one.first <= joined.back().second)
      joined.back().second = std::max(joined.back().second, one.second);
    else
      joined.push_back(one);
  }
  ranges = std::move(joined);
}

// The last range that begins at or before `at`, if it contains `at`; nullptr if none does.
template <class Range>
const Range* range_at(const std::vector<Range>& ranges, std::uint64_t at) {
  const auto behind = std::ranges::upper_bound(ranges, at, {}, &Range::first);
  if (behind == ranges.begin()) return nullptr;
  const Range& one = *std::prev(behind);
  return at <= one.second ? &one : nullptr;
}

}  // namespace

void WantedMessages::want(const Finding& finding) {
  if (finding.frame == 0 || shown_[finding.rule]++ >= kFindingsOfRule) return;
  OfFlow& of = flows_[finding.flow];
  of.evidence.push_back(finding.frame);
  of.frames.emplace_back(finding.message > 0 ? finding.frame : less(finding.frame, kFramesBefore), finding.frame);
  if (finding.message > 0) of.numbers.emplace_back(less(finding.message, kBefore), finding.message + kBehind);
}

void WantedMessages::want(const CaseResult& one) {
  if (one.first_frame > 0) cases_.emplace_back(one.first_frame, one.last_frame);
}

void WantedMessages::settle() {
  join(cases_);
  for (auto& [flow, of] : flows_) {
    join(of.numbers);
    join(of.frames);
    std::ranges::sort(of.evidence);
  }
}

bool WantedMessages::is_wanted(const std::string& flow, std::uint64_t number, std::uint64_t frame) const {
  const auto of = flows_.find(flow);
  return of != flows_.end() &&
         (range_at(of->second.numbers, number) != nullptr || range_at(of->second.frames, frame) != nullptr);
}

bool WantedMessages::is_evidence(const std::string& flow, std::uint64_t frame) const {
  const auto of = flows_.find(flow);
  return of != flows_.end() && std::ranges::binary_search(of->second.evidence, frame);
}

std::uint64_t WantedMessages::case_of(std::uint64_t frame) const {
  const Range* const one = range_at(cases_, frame);
  return one == nullptr ? 0 : one->first;
}

}  // namespace wirelaw
