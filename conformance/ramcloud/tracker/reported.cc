// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/tracker/reported.h"

#include <algorithm>

namespace wirelaw::ramcloud {
namespace {

bool reports(const Ack& ack, std::uint32_t fragment) {
  if (fragment <= ack.first_missing_frag) return fragment < ack.first_missing_frag;
  const std::uint32_t bit = fragment - ack.first_missing_frag - 1;
  return bit < kStagingBits && (ack.staging_vector >> bit & 1) != 0;
}

}  // namespace

bool contradict(const Ack& one, const Ack& other) {
  const bool is_lower = one.first_missing_frag <= other.first_missing_frag;
  const Ack &low = is_lower ? one : other, &high = is_lower ? other : one;
  const bool high_has_more =
      low.first_missing_frag != high.first_missing_frag || (high.staging_vector & ~low.staging_vector) != 0;
  if (!high_has_more) return false;
  for (std::uint32_t bits = low.staging_vector; bits != 0; bits &= bits - 1)
    if (!reports(high, low.first_missing_frag + 1u + static_cast<unsigned>(__builtin_ctz(bits)))) return true;
  return false;
}

std::optional<Ack> Reported::add(const Ack& ack) {
  if (std::ranges::find(acks_, ack) != acks_.end()) return std::nullopt;
  const auto found = std::ranges::find_if(acks_, [&](const Ack& before) { return contradict(before, ack); });
  const std::optional<Ack> contradicted = found == acks_.end() ? std::nullopt : std::optional(*found);
  if (contradicted) acks_.clear();
  if (acks_.size() == kKept) acks_.erase(acks_.begin());
  acks_.push_back(ack);
  return contradicted;
}

}  // namespace wirelaw::ramcloud
