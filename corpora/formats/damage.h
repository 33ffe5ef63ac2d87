// SPDX-License-Identifier: Apache-2.0
// The damage to the capture of a conversation: the first octets of the input of fuzz_PROTOCOL_capture, before the
// steps of the conversation.
#pragma once

#include <algorithm>
#include <array>

#include "reference/octets/octets.h"

namespace wirelaw::corpora {

struct Damage {
  enum Kind : Octet { lose = 1, swap = 2, cut = 4, one_direction = 8, of_side_b = 16, late_start = 32, twice = 64 };

  Octet kinds = 0;   // Kind bits; of_side_b selects the direction that is captured
  Octet rate = 0;    // frames out of 256 that are lost, swapped with the next, cut or duplicated
  Octet length = 0;  // length of a cut frame, in octets
  Octet start = 0;   // number of frames missing at the beginning
  std::uint32_t seed = 0;

  bool has(Kind kind) const { return (kinds & kind) != 0; }
};

inline constexpr std::size_t kDamageOctets = 8;

// Requires an input of at least this length.
inline Damage read_damage(Octets input) {
  return {.kinds = input[0],
          .rate = input[1],
          .length = input[2],
          .start = input[3],
          .seed = load_little_endian<std::uint32_t>(input.data() + 4)};
}
inline OctetBuffer with_damage(const Damage& damage, Octets conversation) {
  OctetBuffer input{damage.kinds, damage.rate, damage.length, damage.start};
  input.resize(kDamageOctets);
  store_little_endian(input.data() + 4, damage.seed);
  input.insert(input.end(), conversation.begin(), conversation.end());
  return input;
}

}  // namespace wirelaw::corpora
