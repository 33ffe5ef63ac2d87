// SPDX-License-Identifier: Apache-2.0
// A set of chain numbers (RFC 3018 7). It uses no memory before the first is added, and 8 KiB then.
#pragma once

#include <cstdint>
#include <vector>

namespace wirelaw::umsp {

class NumberSet {
 public:
  bool has(std::uint16_t number) const { return !bits_.empty() && bits_[number]; }
  void add(std::uint16_t number) {
    if (bits_.empty()) bits_.resize(65536);
    bits_[number] = true;
  }
  void remove(std::uint16_t number) {
    if (!bits_.empty()) bits_[number] = false;
  }

 private:
  std::vector<bool> bits_;
};

}  // namespace wirelaw::umsp
