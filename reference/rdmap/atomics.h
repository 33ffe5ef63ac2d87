// SPDX-License-Identifier: Apache-2.0
// The arithmetic of atomic operations (RFC 7306, 5.1).
#pragma once

#include <cstdint>

#include "reference/rdmap/message.h"

namespace wirelaw::rdmap {

inline constexpr std::size_t kAtomicOctets = 8;

// Adds field by field: a bit of the mask marks the most significant bit of a field, which no carry crosses (5.1.1).
constexpr std::uint64_t fetch_add(std::uint64_t value, std::uint64_t add, std::uint64_t mask) {
  // Adds without the fields' top bits, so that no carry leaves a field; then adds the top bits without carry.
  return ((value & ~mask) + (add & ~mask)) ^ ((value ^ add) & mask);
}

// Replaces the bits of the swap mask where the bits of the compare mask are equal (5.1.2).
constexpr std::uint64_t compare_swap(std::uint64_t value, std::uint64_t swap, std::uint64_t swap_mask,
                                     std::uint64_t compare, std::uint64_t compare_mask) {
  if (((compare ^ value) & compare_mask) != 0) return value;
  return (value & ~swap_mask) | (swap & swap_mask);
}

constexpr bool known(const AtomicRequest& request) {
  return atomic_opcode(request) == kFetchAdd || atomic_opcode(request) == kCmpSwap;
}
// The value after a known operation.
constexpr std::uint64_t apply(const AtomicRequest& request, std::uint64_t value) {
  return atomic_opcode(request) == kFetchAdd
             ? fetch_add(value, request.data, request.data_mask)
             : compare_swap(value, request.data, request.data_mask, request.compare, request.compare_mask);
}

}  // namespace wirelaw::rdmap
