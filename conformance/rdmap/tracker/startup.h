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

// Returns true if the first octets of the side may be a Request or a text about MPA: they begin with the Request's key.
// The first octets of the other side show which it is (RDMAP/A-75).
bool is_undecided(const Direction& from);
// Returns true if anything of the side was seen.
bool has_spoken(const Direction& from);

// The offset of either key, also of an incomplete one at the end; octets.size() if there is none. Both keys count
// because a capture of one side may hold the responder's. A key in a text does not count.
std::size_t find_key(Octets octets);

}  // namespace wirelaw::rdmap
