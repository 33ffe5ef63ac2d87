// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/corpus.h"

#include <algorithm>
#include <bit>

namespace wirelaw::campaign {
namespace {

constexpr std::size_t kMostValues = 64, kMostValueOctets = 16;
// Further entries are not kept, so that a campaign of a week does not grow without bound. What they reach is still
// counted.
constexpr std::size_t kMostEntries = 20'000;
constexpr std::uint64_t kRare = 16;                             // reached by so few inputs
constexpr std::size_t kMostHeard = 16, kMostHeardOctets = 128;  // limits for one input

Entry entry_of(Input input, std::uint64_t run, std::vector<std::uint64_t> features, const Trial& trial) {
  Entry entry{.input = std::move(input), .run = run, .features = std::move(features), .stimuli = trial.stimuli};
  for (const Step& step : trial.steps) {
    if (!step.from_iut || step.head.empty() || entry.heard.size() >= kMostHeard) continue;
    const Octets head = Octets(step.head).first(std::min(step.head.size(), kMostHeardOctets));
    entry.heard.emplace_back(head.begin(), head.end());
  }
  return entry;
}

}  // namespace

std::vector<std::uint64_t> Corpus::count(const Trial& trial) {
  std::vector<std::uint64_t> fresh;
  for (const std::uint64_t feature : trial.features)
    if (reached_[feature]++ == 0) {
      ++of_kind_[kind_of_feature(feature)];
      fresh.push_back(feature);
    }
  return fresh;
}

void Corpus::keep(Entry entry) {
  for (const Edit& edit : entry.input.edits) {
    if (edit.op != Op::compose) continue;
    const std::string line(edit.octets.begin(), edit.octets.end());
    ++lines_[line.substr(0, line.find(' '))];
  }
  entries_.push_back(std::move(entry));
}

std::uint64_t Corpus::lines_of(std::string_view message) const {
  const auto found = lines_.find(message);
  return found == lines_.end() ? 0 : found->second;
}

void Corpus::add_case(Input input, std::uint64_t run, const Trial& trial) {
  keep(entry_of(std::move(input), run, count(trial), trial));
}

void Corpus::consider(const Input& input, std::uint64_t run, const Trial& trial, bool may_keep) {
  std::vector<std::uint64_t> fresh = count(trial);
  if (fresh.empty() || !may_keep || entries_.size() >= kMostEntries) return;
  keep(entry_of(input, run, std::move(fresh), trial));
}

std::uint64_t Corpus::weight_of(const Entry& entry) const {
  constexpr std::uint64_t kScale = 64, kMostRare = 8;
  std::uint64_t rare = 0;
  for (const std::uint64_t feature : entry.features) {
    const auto found = reached_.find(feature);
    rare += found != reached_.end() && found->second <= kRare ? 1 : 0;
    if (rare == kMostRare) break;
  }
  const std::uint64_t burden = 1 + static_cast<std::uint64_t>(std::bit_width(entry.chosen));
  // The lines of a phrase are a conversation, and no burden to it.
  const auto lines = static_cast<std::size_t>(std::ranges::count(entry.input.edits, Op::compose, &Edit::op));
  const std::size_t changes = entry.input.edits.size() - lines + (lines > 0 ? 1 : 0);
  return kScale * (1 + rare) / (burden * (1 + changes)) + 1;
}

std::size_t Corpus::choose_guided(Random& random) const {
  constexpr unsigned kCasesPercent = 30;
  if (random.chance(kCasesPercent)) {
    std::vector<std::size_t> cases;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (entries_[i].input.edits.empty()) cases.push_back(i);
    if (!cases.empty()) return random.any(cases);
  }
  std::vector<std::uint64_t> sums;
  std::uint64_t sum = 0;
  for (const Entry& one : entries_) sums.push_back(sum += weight_of(one));
  return static_cast<std::size_t>(std::ranges::upper_bound(sums, random.next() % sum) - sums.begin());
}

std::size_t Corpus::choose(Guidance guidance, Random& random) {
  const std::size_t chosen = guidance == Guidance::none ? random.below(entries_.size()) : choose_guided(random);
  ++entries_[chosen].chosen;
  return chosen;
}

std::uint64_t Corpus::pending() const {
  return static_cast<std::uint64_t>(std::ranges::count(entries_, 0u, &Entry::chosen));
}

std::uint64_t Corpus::cycles() const {
  return entries_.empty() ? 0 : std::ranges::min_element(entries_, {}, &Entry::chosen)->chosen;
}

std::span<const OctetBuffer> Corpus::values(const std::string& field) const {
  const auto found = values_.find(field);
  return found == values_.end() ? std::span<const OctetBuffer>() : found->second;
}

void Corpus::learn_values(const Entry& entry, const Tester& tester) {
  for (const auto* messages : {&entry.stimuli, &entry.heard})
    for (const OctetBuffer& message : *messages)
      for (const Field& field : tester.carried().decode(message).fields) {
        if (field.length > kMostValueOctets || field.offset + field.length > message.size()) continue;
        auto& values = values_[field.name];
        const auto begin = message.begin() + static_cast<std::ptrdiff_t>(field.offset);
        OctetBuffer value(begin, begin + static_cast<std::ptrdiff_t>(field.length));
        if (values.size() < kMostValues && std::ranges::find(values, value) == values.end())
          values.push_back(std::move(value));
      }
}

void Corpus::restore_reached(std::uint64_t feature, std::uint64_t times) {
  if (reached_.emplace(feature, times).second) ++of_kind_[kind_of_feature(feature)];
}

void Corpus::restore(Entry entry, const Tester& tester) {
  keep(std::move(entry));
  learn_values(entries_.back(), tester);
}

}  // namespace wirelaw::campaign
