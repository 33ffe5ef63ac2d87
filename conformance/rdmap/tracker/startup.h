// SPDX-License-Identifier: Apache-2.0
// Finds the start of MPA in the octets of one side: the key at their beginning, or a later one.
#pragma once

#include <cstdint>

#include "conformance/rdmap/tracker/connection.h"
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

// The first octets of the side begin with the key of a Request, and with what may be a text about MPA. The first octets
// of the other side decide which of the two they are (RDMAP/A-75).
bool is_undecided(const Direction& from);
bool has_spoken(const Direction& from);

// The offset of either key, also of an incomplete one at the end; octets.size() if there is none. Both keys count
// because a capture of one side may hold the responder's. A key in a text does not count.
std::size_t find_key(Octets octets);

}  // namespace wirelaw::rdmap
