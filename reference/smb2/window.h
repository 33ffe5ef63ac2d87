// SPDX-License-Identifier: Apache-2.0
// The MessageIds that a client may use ([MS-SMB2] 3.3.1.1): each once, and of those that credits were granted for.
#pragma once

#include <cstdint>
#include <set>

namespace wirelaw::smb2 {

class Window {
 public:
  void grant(std::uint32_t credits) { end_ += credits; }
  std::uint64_t held() const { return end_ - begin_ - used_.size(); }

  // So many from this one on; false if they are not all there (3.3.5.2.3).
  bool take(std::uint64_t id, std::uint16_t count) {
    if (id < begin_ || id >= end_ || end_ - id < count) return false;
    for (std::uint16_t i = 0; i < count; ++i)
      if (used_.contains(id + i)) return false;
    for (std::uint16_t i = 0; i < count; ++i) used_.insert(id + i);
    for (; used_.erase(begin_) > 0; ++begin_) continue;
    return true;
  }

 private:
  std::uint64_t begin_ = 0;  // the first that was not used
  std::uint64_t end_ = 1;    // one credit to begin with
  std::set<std::uint64_t> used_;
};

}  // namespace wirelaw::smb2
