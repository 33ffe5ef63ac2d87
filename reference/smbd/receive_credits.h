// SPDX-License-Identifier: Apache-2.0
// The peer's credits: the receives posted for it, the number that it knows of, and when more are posted (3.1.5.9).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace wirelaw::smbd {

class ReceiveCredits {
 public:
  ReceiveCredits(std::uint16_t most, bool keeps_last_credit) : most_(most), keeps_last_credit_(keeps_last_credit) {}

  // Lowers the limit according to memory; allows one more for a last credit.
  void limit(std::size_t most) { most_ = static_cast<std::uint16_t>(std::min<std::size_t>(most_, most)); }
  // Connection.ReceiveCreditTarget.
  void set_target(std::uint16_t target) { target_ = target; }
  std::uint16_t target() const { return target_; }

  // Returns the number of receives to post. `last_credit`: for a message that would spend our last credit, and so must
  // grant one. Then, and if the peer has no credit, one is posted even above its target (ruling SMBD/A10), unless the
  // first paragraph of 3.1.5.9 is followed.
  std::uint32_t wanted(bool last_credit) const {
    const std::uint32_t goal = std::min(target_, most_);
    if (goal > posted_) return goal - posted_;
    if (last_credit && keeps_last_credit_ && posted_ >= target_) last_credit = false;
    return (posted_ == 0 || last_credit) && ungranted_ == 0 && most_ > 0 ? 1 : 0;
  }

  // True if the peer has at most a quarter of the credits that it wants, and should get more even if there is nothing
  // to send. Granting after every message would let two ends grant each other for ever.
  bool low() const { return posted_ <= std::min(target_, most_) / 4u; }
  bool below_goal() const { return posted_ < std::min(target_, most_); }

  void post(std::uint32_t count) {
    posted_ += count;
    ungranted_ += count;
  }
  // Returns false if the peer had no credit.
  bool consume() {
    if (posted_ == 0) return false;
    --posted_;
    ungranted_ = std::min(ungranted_, posted_);
    return true;
  }
  // Returns the credits that the next message grants: all that were not granted yet.
  std::uint16_t grant() {
    const std::uint32_t count = std::min<std::uint32_t>(ungranted_, 0xffff);
    ungranted_ -= count;
    return static_cast<std::uint16_t>(count);
  }

  std::uint32_t posted() const { return posted_; }  // Connection.ReceiveCredits
  std::uint32_t ungranted() const { return ungranted_; }

 private:
  std::uint16_t most_;  // Connection.ReceiveCreditMax
  bool keeps_last_credit_;
  std::uint16_t target_ = 0;
  std::uint32_t posted_ = 0;
  std::uint32_t ungranted_ = 0;
};

}  // namespace wirelaw::smbd
