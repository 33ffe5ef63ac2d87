// SPDX-License-Identifier: Apache-2.0
// A mutator that knows EFA RDM packets: it takes one apart by the table of layouts, changes its type, fields, optional
// headers and arrays, and puts it together so that flags, counts and lengths agree with what is there. In a part of the
// cases it then breaks exactly one thing: a flag without its header, a count that is not that of the array, a cut.
#pragma once

#include <span>

#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// Each changes the first `size` octets of `buffer`, which has room for more, and gives the new size. About half of the
// work is left to libFuzzer's own mutations, if they are there.
std::size_t mutate_efa_packet(std::span<Octet> buffer, std::size_t size, std::uint32_t seed);
// Packets as records (corpora/formats/records.h): one of them, or their order.
std::size_t mutate_efa_trace(std::span<Octet> buffer, std::size_t size, std::uint32_t seed);

}  // namespace wirelaw::fuzz
