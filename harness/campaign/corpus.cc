// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/corpus.h"

#include <algorithm>
#include <bit>

namespace wirelaw::campaign {
namespace {

constexpr std::size_t kMostValues = 64, kMostValueOctets = 16;
// More are not kept, so that a campaign of a week does not grow without bound; what is reached is still counted.
constexpr std::size_t kMostEntries = 20'000;
constexpr std::uint64_t kRare = 16;  // reached by so few inputs

}  // namespace

std::vector<std::uint64_t> Corpus::count(const Trial& trial) {
  std::vector<std::uint64_t> fresh;
  for (const std::uint64_t feature : trial.features)
    if (reached_[feature]++ == 0) fresh.push_back(feature);
  return fresh;
}

void Corpus::add_case(Input input, std::uint64_t run, const Trial& trial) {
  entries_.push_back({.input = std::move(input), .run = run, .features = count(trial), .stimuli = trial.stimuli});
}

void Corpus::consider(const Input& input, std::uint64_t run, const Trial& trial, bool may_keep) {
  std::vector<std::uint64_t> fresh = count(trial);
  if (fresh.empty() || !may_keep || entries_.size() >= kMostEntries) return;
  entries_.push_back({.input = input, .run = run, .features = std::move(fresh), .stimuli = trial.stimuli});
}

std::uint64_t Corpus::weight_of(const Entry& entry) const {
  constexpr std::uint64_t kScale = 64, kMostRare = 8;
  std::uint64_t rare = 0;
  for (const std::uint64_t feature : entry.features) {
    const auto found = reached_.find(feature);
    rare += found != reached_.end() && found->second <= kRare ? 1 : 0;
    if (rare == kMostRare) break;
  }
  return kScale * (1 + rare) / (1 + static_cast<std::uint64_t>(std::bit_width(entry.chosen))) + 1;
}

std::size_t Corpus::choose(Guidance guidance, Random& random) {
  std::size_t chosen = 0;
  if (guidance == Guidance::none) {
    chosen = random.below(entries_.size());
  } else {
    std::vector<std::uint64_t> sums;
    std::uint64_t sum = 0;
    for (const Entry& one : entries_) sums.push_back(sum += weight_of(one));
    const auto found = std::ranges::upper_bound(sums, random.next() % sum);
    chosen = static_cast<std::size_t>(found - sums.begin());
  }
  ++entries_[chosen].chosen;
  return chosen;
}

std::span<const OctetBuffer> Corpus::values(const std::string& field) const {
  const auto found = values_.find(field);
  return found == values_.end() ? std::span<const OctetBuffer>() : found->second;
}

// Those of the cases: they are the values that mean something.
void Corpus::learn_values(const Entry& entry, const Tester& tester) {
  for (const OctetBuffer& message : entry.stimuli)
    for (const Field& field : tester.carried().decode(message).fields) {
      if (field.length > kMostValueOctets || field.offset + field.length > message.size()) continue;
      auto& values = values_[field.name];
      const auto begin = message.begin() + static_cast<std::ptrdiff_t>(field.offset);
      OctetBuffer value(begin, begin + static_cast<std::ptrdiff_t>(field.length));
      if (values.size() < kMostValues && std::ranges::find(values, value) == values.end())
        values.push_back(std::move(value));
    }
}

void Corpus::restore(Entry entry, const Tester& tester) {
  entries_.push_back(std::move(entry));
  if (entries_.back().input.edits.empty()) learn_values(entries_.back(), tester);
}

}  // namespace wirelaw::campaign
