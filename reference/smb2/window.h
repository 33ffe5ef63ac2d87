// SPDX-License-Identifier: Apache-2.0
// The MessageIds that a client may use ([MS-SMB2] 3.3.1.1): those for which credits were granted, once each.
#pragma once

#include <cstdint>
#include <set>

namespace wirelaw::smb2 {

class Window {
 public:
  void grant(std::uint32_t credits) { end_ += credits; }
  std::uint64_t held() const { return end_ - begin_ - used_.size(); }

  // Uses `count` IDs from this one on; returns false if some are not available (3.3.5.2.3).
  bool take(std::uint64_t id, std::uint16_t count) {
    if (id < begin_ || id >= end_ || end_ - id < count) return false;
    for (std::uint16_t i = 0; i < count; ++i)
      if (used_.contains(id + i)) return false;
    for (std::uint16_t i = 0; i < count; ++i) used_.insert(id + i);
    for (; used_.erase(begin_) > 0; ++begin_) continue;
    return true;
  }

 private:
  std::uint64_t begin_ = 0;  // first unused one
  std::uint64_t end_ = 1;    // initially one credit
  std::set<std::uint64_t> used_;
};

}  // namespace wirelaw::smb2
