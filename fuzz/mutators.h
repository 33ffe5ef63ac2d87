// SPDX-License-Identifier: Apache-2.0
// The custom mutator of each target, in one table for libFuzzer, for engines with its interface, and for AFL++.
#pragma once

#include <span>
#include <string_view>

#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// Changes the first `size` octets of the buffer, which has room for more, and returns the new size.
using Mutator = std::size_t (*)(std::span<Octet> buffer, std::size_t size, std::uint32_t seed);

// For a target such as "fuzz_efa_packet"; nullptr if it uses only the engine's own mutations.
Mutator find_mutator(std::string_view target);

}  // namespace wirelaw::fuzz
