// SPDX-License-Identifier: Apache-2.0
#include "reference/octets/crc32.h"

#include <isa-l/crc.h>

namespace wirelaw {

std::uint32_t crc32(Octets octets, std::uint32_t before) {
  return crc32_gzip_refl(before, octets.data(), octets.size());
}

}  // namespace wirelaw
