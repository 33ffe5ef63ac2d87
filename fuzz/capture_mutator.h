// SPDX-License-Identifier: Apache-2.0
// A mutator that knows the blocks of a pcapng file: it removes, doubles, moves and cuts captured packets, sets octets
// of what they carry, and leaves the file one that can be read. For other files libFuzzer's own mutations are all there
// is.
#pragma once

#include <span>

#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// Changes the first `size` octets of the buffer, which has room for more, and gives the new size.
std::size_t mutate_capture(std::span<Octet> buffer, std::size_t size, std::uint32_t seed);

}  // namespace wirelaw::fuzz
