// SPDX-License-Identifier: Apache-2.0
#include "conformance/sample_octets.h"

#include <cstdint>

namespace wirelaw {

OctetBuffer sample_octets(std::size_t count, unsigned seed) {
  OctetBuffer out(count);
  std::uint32_t state = 2463534242u + seed * 2654435769u;
  for (Octet& octet : out) {  // xorshift32
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    octet = static_cast<Octet>(state >> 24);
  }
  return out;
}

OctetBuffer text(std::string_view characters) {
  return {characters.begin(), characters.end()};
}

}  // namespace wirelaw
