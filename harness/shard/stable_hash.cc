// SPDX-License-Identifier: Apache-2.0
#include "harness/shard/stable_hash.h"

namespace wirelaw {

// The finaliser of MurmurHash3: one different input bit may change every output bit.
std::uint64_t StableHash::value() const {
  std::uint64_t hash = state_;
  hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdu;
  hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53u;
  return hash ^ hash >> 33;
}

std::uint64_t stable_hash(std::string_view text) {
  StableHash hash;
  for (const char one : text) hash.add(static_cast<Octet>(one));
  return hash.value();
}

}  // namespace wirelaw
