// SPDX-License-Identifier: Apache-2.0
#include "reference/octets/crc32c.h"

#include <isa-l/crc.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>

namespace wirelaw {
namespace {

// Polynomials over GF(2) modulo that of CRC32c, the coefficient of x^0 in the highest bit.
constexpr std::uint32_t kModulus = 0x82f63b78;
constexpr std::uint32_t kOne = 0x80000000;
constexpr std::uint32_t kXToThe8 = kOne >> 8;

constexpr std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (int i = 31; i >= 0; --i) {
    sum ^= b & (0 - (a >> i & 1));
    b = b >> 1 ^ (kModulus & (0 - (b & 1)));
  }
  return sum;
}

// x^(8n) for n = digit * 256^place: the factor by which n octets shift a CRC.
using Shifts = std::array<std::array<std::uint32_t, 256>, 4>;
constexpr Shifts kShifts = [] {
  Shifts shifts{};
  std::uint32_t step = kXToThe8;
  for (auto& place : shifts) {
    place[0] = kOne;
    for (std::size_t digit = 1; digit < place.size(); ++digit) place[digit] = product(place[digit - 1], step);
    step = product(place.back(), step);
  }
  return shifts;
}();

// The library's widest variant leaves the upper halves of the vector registers in use, which would delay every later
// SSE instruction: small FPDUs would be read at a tenth of the speed.
#if defined(__x86_64__)
__attribute__((target("avx"))) void release_upper_halves() {
  _mm256_zeroupper();
}
bool has_upper_halves() {
  return __builtin_cpu_supports("avx") != 0;
}
#else
void release_upper_halves() {}
constexpr bool has_upper_halves() {
  return false;
}
#endif

}  // namespace

std::uint32_t crc32c(Octets octets, std::uint32_t before) {
  constexpr std::size_t kMost = 1u << 30;  // the library counts in int
  std::uint32_t crc = ~before;
  while (!octets.empty()) {
    const Octets part = octets.first(std::min(octets.size(), kMost));
    // The library reads only; its interface predates const.
    crc = crc32_iscsi(const_cast<Octet*>(part.data()), static_cast<int>(part.size()), crc);
    octets = octets.subspan(part.size());
  }
  if (has_upper_halves()) release_upper_halves();
  return ~crc;
}

std::uint32_t crc32c_behind(std::uint32_t of_both, std::uint32_t of_first, std::uint32_t octets_behind) {
  std::uint32_t shifted = of_first;
  for (const auto& place : kShifts) {
    const std::size_t digit = octets_behind & 0xff;
    if (digit != 0) shifted = product(shifted, place[digit]);
    octets_behind >>= 8;
  }
  return of_both ^ shifted;
}

}  // namespace wirelaw
