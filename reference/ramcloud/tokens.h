// SPDX-License-Identifier: Apache-2.0
// Session tokens: 64 bits that look random ("sessionToken"), the same sequence for the same seed.
#pragma once

#include <array>
#include <cstdint>

namespace wirelaw::ramcloud {

// xoshiro256** (Blackman and Vigna, 2018), seeded by splitmix64. Not for secrets: a conformance endpoint must be
// repeatable.
class TokenSource {
 public:
  explicit TokenSource(std::uint64_t seed);
  std::uint64_t next();

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace wirelaw::ramcloud
