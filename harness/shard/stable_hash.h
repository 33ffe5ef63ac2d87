// SPDX-License-Identifier: Apache-2.0
// A hash that is the same in every build and on every machine: shards that run on different machines use it to agree on
// who runs which case. FNV-1a of 64 bits, whose upper bits are mixed into the lower.
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/octets/octets.h"

namespace wirelaw {

class StableHash {
 public:
  void add(Octet octet) { state_ = (state_ ^ octet) * 0x100000001b3u; }
  void add(Octets octets) {
    for (const Octet one : octets) add(one);
  }
  void add(std::uint64_t number) {  // the highest octet first
    for (int shift = 56; shift >= 0; shift -= 8) add(static_cast<Octet>(number >> shift));
  }
  std::uint64_t value() const;

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

std::uint64_t stable_hash(std::string_view text);

}  // namespace wirelaw
