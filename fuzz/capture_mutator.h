// SPDX-License-Identifier: Apache-2.0
// A mutator for pcapng files: it removes, doubles, moves and cuts captured packets, and sets octets of their payload.
// The file stays readable. For other files it uses only libFuzzer's own mutations.
#pragma once

#include <span>

#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// Changes the first `size` octets of the buffer, which has room for more, and returns the new size.
std::size_t mutate_capture(std::span<Octet> buffer, std::size_t size, std::uint32_t seed);

}  // namespace wirelaw::fuzz
