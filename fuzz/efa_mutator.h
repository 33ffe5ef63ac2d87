// SPDX-License-Identifier: Apache-2.0
// A mutator for EFA RDM packets. It parses one by the table of layouts, changes its type, fields, optional headers and
// arrays, and encodes it with matching flags, counts and lengths. In some of its outputs it then breaks exactly one
// thing: a flag without its header, a wrong array count, or a truncation.
#pragma once

#include <span>

#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// Each changes the first `size` octets of `buffer`, which has room for more, and returns the new size. About half of
// the work is left to libFuzzer's own mutations, if they are available.
std::size_t mutate_efa_packet(std::span<Octet> buffer, std::size_t size, std::uint32_t seed);
// Mutates one packet of a list of records (corpora/formats/records.h), or their order.
std::size_t mutate_efa_trace(std::span<Octet> buffer, std::size_t size, std::uint32_t seed);

}  // namespace wirelaw::fuzz
