// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/tracker/startup.h"

#include <algorithm>

namespace wirelaw::rdmap {
namespace {

constexpr std::size_t kKeyOctets = mpa::kRequestKey.size();
constexpr std::size_t kNear = kKeyOctets / 2;  // matching octets from which a key was intended

std::size_t octets_in_place(Octets octets, std::string_view key) {
  const std::size_t count = std::min(octets.size(), key.size());
  std::size_t right = 0;
  for (std::size_t i = 0; i < count; ++i) right += octets[i] == static_cast<Octet>(key[i]);
  return right;
}

// No character is as small as a revision, and two characters are more than any PD_Length. It is no text as long as
// octets are missing.
bool is_text(Octets from_key) {
  if (from_key.size() < mpa::layout::kStartFrame) return false;
  const auto length = load_big_endian<std::uint16_t>(from_key.data() + mpa::layout::kPrivateDataLength);
  return from_key[mpa::layout::kRevision] > mpa::kRevision2 && length > mpa::kMaxPrivateData;
}

}  // namespace

bool is_undecided(const Direction& from) {
  const bool is_first = from.unbroken && !from.preamble.ulp_spoke && from.preamble.passed_over == 0;
  return is_first && !from.start && beginning_of(from.held) == Beginning::text &&
         octets_in_place(from.held, mpa::kRequestKey) == kKeyOctets;
}

bool has_spoken(const Direction& from) {
  return from.start || !from.held.empty() || from.preamble.passed_over > 0;
}

Beginning beginning_of(Octets octets) {
  const std::size_t best = std::max(octets_in_place(octets, mpa::kRequestKey), octets_in_place(octets, mpa::kReplyKey));
  if (best == kKeyOctets) return is_text(octets) ? Beginning::text : Beginning::key;
  if (octets.size() < kKeyOctets) return best == octets.size() ? Beginning::partial : Beginning::other;
  return best >= kNear ? Beginning::near : Beginning::other;
}

std::size_t find_key(Octets octets) {
  static_assert(mpa::kRequestKey.front() == mpa::kReplyKey.front());
  const auto first = static_cast<Octet>(mpa::kRequestKey.front());
  for (auto at = std::ranges::find(octets, first); at != octets.end(); at = std::find(at + 1, octets.end(), first)) {
    const Beginning there = beginning_of(Octets(at, octets.end()));
    if (there == Beginning::key || there == Beginning::partial) return static_cast<std::size_t>(at - octets.begin());
  }
  return octets.size();
}

}  // namespace wirelaw::rdmap
