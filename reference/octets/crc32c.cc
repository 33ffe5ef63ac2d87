// SPDX-License-Identifier: Apache-2.0
#include "reference/octets/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>

namespace wirelaw {

std::uint32_t crc32c(Octets octets, std::uint32_t before) {
  constexpr std::size_t kMost = 1u << 30;  // the library counts in int
  std::uint32_t crc = ~before;
  while (!octets.empty()) {
    const Octets part = octets.first(std::min(octets.size(), kMost));
    // The library reads only; its interface predates const.
    crc = crc32_iscsi(const_cast<Octet*>(part.data()), static_cast<int>(part.size()), crc);
    octets = octets.subspan(part.size());
  }
  return ~crc;
}

}  // namespace wirelaw
