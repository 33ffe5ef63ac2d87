// SPDX-License-Identifier: Apache-2.0
// The octets that cases send as a user's data.
#pragma once

#include <cstddef>
#include <string_view>

#include "reference/octets/octets.h"

namespace wirelaw {

// Octets that differ from place to place and from seed to seed. The same arguments give the same octets.
OctetBuffer sample_octets(std::size_t count, unsigned seed = 0);
OctetBuffer text(std::string_view characters);

}  // namespace wirelaw
