// SPDX-License-Identifier: Apache-2.0
// The memory that reference peers offer. The protocol cannot advertise memory (3.3: the application knows), so both
// sides use these values unless they are configured otherwise.
#pragma once

#include "reference/efa/raw_address.h"

namespace wirelaw::efa {

inline constexpr RmaIov kOfferedRegion{.addr = 0, .len = std::uint64_t{1} << 20, .key = 0x57495245};

// The initial value of the octet at offset `at`.
constexpr Octet offered_octet(std::uint64_t at) {
  return static_cast<Octet>(at + (at >> 8));
}

}  // namespace wirelaw::efa
