// SPDX-License-Identifier: Apache-2.0
// Where MPA begins in the octets of one side: which key they begin with, or where one comes later.
#pragma once

#include <cstdint>

#include "reference/mpa/start_frame.h"

namespace wirelaw::rdmap {

enum class Beginning : std::uint8_t {
  key,      // one of the two
  partial,  // they are the beginning of one
  near,     // 16 octets that were meant to be one
  other,
};
Beginning beginning_of(Octets octets);

// Where either key begins; octets.size() where none does. At the end, part of one counts. Any of the two: where one
// side alone was captured, it may be the responder's.
std::size_t find_key(Octets octets);

}  // namespace wirelaw::rdmap
