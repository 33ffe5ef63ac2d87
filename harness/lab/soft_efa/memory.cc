// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/memory.h"

namespace wirelaw::soft_efa {

std::uint32_t Memory::add(void* bytes, std::uint64_t address, std::uint64_t length, unsigned access) {
  while (next_ == 0 || regions_.contains(next_)) ++next_;
  regions_.emplace(next_, Region{static_cast<std::uint8_t*>(bytes), address, length, access});
  return next_++;
}

Memory::Place Memory::find(std::uint32_t key, std::uint64_t address, std::uint64_t length, unsigned access) const {
  const auto found = regions_.find(key);
  if (found == regions_.end()) return {Reach::bad_key};
  const Region& region = found->second;
  if (address < region.address || address - region.address > region.length ||
      length > region.length - (address - region.address))
    return {Reach::out_of_bounds};
  if ((region.access & access) != access) return {Reach::no_access};
  return {Reach::there, region.bytes + (address - region.address)};
}

}  // namespace wirelaw::soft_efa
