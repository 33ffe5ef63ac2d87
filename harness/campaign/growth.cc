// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wirelaw::campaign {
namespace {

// Below this much memory an honest peer may yet be filling what its protocol bounds or lets expire: sessions, answers
// that it keeps, endpoints that it knows. In an hour of campaign the reference's servers stay between 14 and 20 MB.
constexpr std::uint64_t kLeastMemory = 8u << 20;

constexpr Grower kGrowers[] = {
    {"growth of memory", "octets of memory", kLeastMemory, &Trial::resident_octets},
    {"growth of descriptors", "descriptors", 8, &Trial::descriptors},
};

}  // namespace

std::span<const Grower> growers() {
  return kGrowers;
}

const Grower* grower_of(std::string_view signature) {
  const auto found = std::ranges::find(kGrowers, signature, &Grower::signature);
  return found == std::end(kGrowers) ? nullptr : found;
}

std::optional<Growth> growth_by(Tester& tester, const Input& input, const Grower& grower, const Pace& pace) {
  constexpr std::uint64_t kTimes = 256;
  Starts* const starts = tester.arena().starts;
  if (starts == nullptr) return std::nullopt;
  const std::uint64_t every = std::exchange(starts->every, kTimes + 1);
  GrowthWatch watch(kTimes, grower.least / 4);
  std::optional<Growth> growth;
  for (std::uint64_t time = 0; time < kTimes && !growth && !tester.is_over(); ++time) {
    starts->anew = time == 0;
    const Trial trial = tester.run(input, pace);
    if (trial.lost || trial.is_skipped || starts->served != time + 1) break;
    watch.sample(starts->served, trial.*grower.used);
    growth = watch.take();
  }
  starts->anew = true;
  starts->every = every;
  return growth;
}

GrowthWatch::GrowthWatch(std::uint64_t inputs, std::uint64_t least)
    : part_(std::max<std::uint64_t>(inputs / kParts, 1)), least_(least) {}

void GrowthWatch::sample(std::uint64_t served, std::uint64_t used) {
  if (served <= served_) {
    lowest_.clear();
    taken_ = false;
  }
  served_ = served;
  const auto part = static_cast<std::size_t>((served - 1) / part_);
  if (part >= kParts * 4) return;  // the process serves far more inputs than planned
  if (part >= lowest_.size()) lowest_.resize(part + 1, used);
  lowest_[part] = std::min(lowest_[part], used);
}

// The last part is not over yet.
std::optional<Growth> GrowthWatch::take() {
  if (taken_ || lowest_.size() < kWarmUp + kRising + 1) return std::nullopt;
  const auto end = lowest_.end() - 1, begin = end - kRising;
  for (auto one = begin + 1; one != end; ++one)
    if (*one <= *(one - 1)) return std::nullopt;
  const Growth growth{.first = *begin, .last = *(end - 1), .inputs = part_ * (kRising - 1)};
  if (growth.last - growth.first < least_) return std::nullopt;
  taken_ = true;
  return growth;
}

std::string to_text(const Growth& growth, std::string_view of_what) {
  return fmt::format("from {} to {} {} over {} inputs, {:.1f} each", growth.first, growth.last, of_what, growth.inputs,
                     growth.each());
}

}  // namespace wirelaw::campaign
