// SPDX-License-Identifier: Apache-2.0
// Features that an input has reached, as comparable numbers: exercised rules and how often, answers in each state,
// and edges of the IUT's code. An input that reaches a new feature is worth keeping.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/edited_case.h"
#include "conformance/judge.h"

namespace wirelaw::campaign {

using edits::Step;

// FNV-1a: unlike std::hash, the same everywhere. Parts are kept apart.
constexpr std::uint64_t hash_of(std::string_view text, std::uint64_t before = 0xcbf29ce484222325u) {
  for (const char c : text) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return (before ^ 0xff) * 0x100000001b3u;
}

// The kind of a feature, stored in its lowest bits.
enum class FeatureKind : std::uint8_t { state, rule, edge };
inline constexpr std::size_t kFeatureKinds = 3;
constexpr std::uint64_t feature_of(FeatureKind kind, std::uint64_t hash) {
  return (hash & ~std::uint64_t{3}) | static_cast<std::uint64_t>(kind);
}
constexpr std::size_t kind_of_feature(std::uint64_t feature) {
  return std::min<std::size_t>(feature & 3, kFeatureKinds - 1);
}

// The state of a conversation is the IUT's latest answer. A step out of it is the next message sent, and the answer to
// it.
void add_transitions(std::span<const Step> steps, std::vector<std::uint64_t>& features);
// The number of times that each rule was exercised, in powers of two.
void add_rules(const Judge& judge, std::vector<std::uint64_t>& features);
void add_edges(std::span<const std::uint64_t> edges, std::vector<std::uint64_t>& features);

}  // namespace wirelaw::campaign
