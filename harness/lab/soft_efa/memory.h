// SPDX-License-Identifier: Apache-2.0
// Registered memory: the octets that a key may access. The local and the remote key of a region are the same number.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace wirelaw::soft_efa {

enum class Reach { there, bad_key, out_of_bounds, no_access };

class Memory {
 public:
  // `address` is what work requests and peers call the place that `bytes` points to.
  std::uint32_t add(void* bytes, std::uint64_t address, std::uint64_t length, unsigned access);
  void remove(std::uint32_t key) { regions_.erase(key); }

  struct Place {
    Reach reach = Reach::bad_key;
    std::uint8_t* bytes = nullptr;
  };
  // The place of `length` octets at `address`, if the key covers them all and allows all of `access` (IBV_ACCESS_…).
  Place find(std::uint32_t key, std::uint64_t address, std::uint64_t length, unsigned access) const;

 private:
  struct Region {
    std::uint8_t* bytes;
    std::uint64_t address;
    std::uint64_t length;
    unsigned access;
  };
  std::unordered_map<std::uint32_t, Region> regions_;
  std::uint32_t next_ = 0x5e0001;  // not so small that a mistaken index would pass as a key
};

}  // namespace wirelaw::soft_efa
