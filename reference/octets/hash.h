// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw {

// A fast hash of octets. It does not resist deliberate collisions.
inline std::uint64_t hash_of(Octets octets) {
  __extension__ using Wide = unsigned __int128;
  std::uint64_t hash = 0x9e3779b97f4a7c15u ^ octets.size();
  // Folds the product of two words, as wyhash does: a multiplication for sixteen octets.
  const auto mix = [&](std::uint64_t one, std::uint64_t two) {
    const Wide product = Wide{hash ^ one} * (two ^ 0xe7037ed1a0b428dbu);
    hash = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  const auto word = [&](std::size_t at) { return load_little_endian<std::uint64_t>(octets.data() + at); };
  std::size_t at = 0;
  for (; at + 16 <= octets.size(); at += 16) mix(word(at), word(at + 8));
  if (at == octets.size()) return hash;
  if (at > 0) {  // the rest, together with some of the previous octets
    mix(word(octets.size() - 16), word(octets.size() - 8));
    return hash;
  }
  if (at + 8 <= octets.size()) {
    mix(word(at), 0);
    at += 8;
  }
  for (; at < octets.size(); ++at) mix(octets[at], 1);
  return hash;
}

}  // namespace wirelaw
