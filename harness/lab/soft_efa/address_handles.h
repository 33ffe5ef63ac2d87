// SPDX-License-Identifier: Apache-2.0
// Address handle numbers (AHN). One GID has one number as long as any handle to it exists, and a received packet names
// its sender by it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "harness/lab/soft_efa/gid.h"

namespace wirelaw::soft_efa {

inline constexpr std::uint16_t kNoAhn = 0xffff;  // the sender has no handle

class AddressHandles {
 public:
  // Empty if all numbers are in use.
  std::optional<std::uint16_t> add(const Gid& gid);
  void remove(const Gid& gid);
  std::uint16_t ahn(const Gid& gid) const;  // kNoAhn if there is none

 private:
  struct Handle {
    std::uint16_t ahn;
    std::uint32_t users;
  };
  std::map<Gid, Handle> handles_;
  std::map<std::uint16_t, Gid> taken_;
  std::uint16_t next_ = 0;
};

}  // namespace wirelaw::soft_efa
