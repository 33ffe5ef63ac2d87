// SPDX-License-Identifier: Apache-2.0
// The set of fragments of one message that a trace has shown, and fingerprints of their data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::ramcloud {

// A set of fragment numbers. The first 64 take no memory of their own, all 65,536 take 8 KiB.
class FragmentSet {
 public:
  bool contains(std::uint16_t number) const {
    if (number < kInline) return (first_ >> number & 1) != 0;
    const std::size_t word = number / kInline - 1;
    return word < more_.size() && (more_[word] >> (number % kInline) & 1) != 0;
  }
  // Returns true if the number is new.
  bool insert(std::uint16_t number) {
    if (number != 0 || count_ != 0) return insert_another(number);
    first_ = count_ = prefix_ = 1;  // most messages have only fragment 0
    return true;
  }
  // The number of consecutive numbers in the set, counted from 0.
  std::uint32_t prefix() const { return prefix_; }
  std::uint32_t count() const { return count_; }
  std::size_t memory() const { return more_.capacity() * sizeof(std::uint64_t); }
  void clear();

 private:
  static constexpr std::uint32_t kInline = 64;
  bool insert_another(std::uint16_t number);

  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> more_;
  std::uint32_t count_ = 0;
  std::uint32_t prefix_ = 0;
};

// Length, first eight and last eight octets of a fragment's data, folded: differing fingerprints prove differing data,
// equal ones prove nothing. Never 0.
std::uint32_t fingerprint(Octets data);

// The fingerprints of a message's first fragments.
class Fingerprints {
 public:
  static constexpr std::size_t kKept = 64;

  // Returns the fingerprint kept for the number, 0 if none. Keeps `value` if there was none.
  std::uint32_t exchange(std::uint16_t number, std::uint32_t value) {
    if (number >= kKept) return 0;
    std::uint32_t& place = number == 0 ? first_ : place_of(number);
    const std::uint32_t before = place;
    if (before == 0) place = value;
    return before;
  }
  std::size_t memory() const { return values_.capacity() * sizeof(std::uint32_t); }
  void clear() {
    first_ = 0;
    if (!values_.empty()) values_.clear();
  }

 private:
  std::uint32_t& place_of(std::uint16_t number) {
    if (values_.size() < number) values_.resize(number);
    return values_[number - 1u];
  }

  std::uint32_t first_ = 0;            // fingerprint of fragment 0, the only one of most messages
  std::vector<std::uint32_t> values_;  // fingerprints from fragment 1 on
};

}  // namespace wirelaw::ramcloud
