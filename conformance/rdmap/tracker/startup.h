// SPDX-License-Identifier: Apache-2.0
// Finds the start of MPA in the octets of one side: the key at their beginning, or a later one.
#pragma once

#include <cstdint>

#include "reference/mpa/start_frame.h"

namespace wirelaw::rdmap {

enum class Beginning : std::uint8_t {
  key,      // one of the two keys
  text,     // one of the two keys, in a text about MPA (RDMAP/A-75)
  partial,  // the beginning of a key
  near,     // 16 octets that resemble a key
  other,
};
Beginning beginning_of(Octets octets);

// The offset of either key, also of an incomplete one at the end; octets.size() if there is none. Both keys count
// because a capture of one side may hold the responder's. A key in a text does not count.
std::size_t find_key(Octets octets);

}  // namespace wirelaw::rdmap
