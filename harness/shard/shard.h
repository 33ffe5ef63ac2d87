// SPDX-License-Identifier: Apache-2.0
// The part of the work that this process does: --shard I/N, and the parts of a run with --jobs.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>

#include "harness/shard/stable_hash.h"

namespace wirelaw {

struct Shard {
  std::uint64_t index = 0;  // from 0; people count from 1
  std::uint64_t of = 1;

  bool is_all() const { return of == 1; }
  bool has(std::uint64_t hash) const { return hash % of == index; }
  friend bool operator==(const Shard&, const Shard&) = default;
};

inline constexpr std::uint64_t kMostShards = 10'000;

// "2/8". The error is one line.
tl::expected<Shard, std::string> parse_shard(const std::string& text);
std::string to_string(const Shard& shard);

}  // namespace wirelaw
