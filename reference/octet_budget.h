// SPDX-License-Identifier: Apache-2.0
// A limit for the octets that an endpoint keeps for its peers, shared by all its parts that keep octets.
#pragma once

#include <cstddef>
#include <utility>

namespace wirelaw {

class OctetBudget {
 public:
  explicit OctetBudget(std::size_t limit) : limit_(limit) {}
  std::size_t used() const { return used_; }
  std::size_t limit() const { return limit_; }

 private:
  friend class OctetCharge;
  std::size_t limit_;
  std::size_t used_ = 0;
};

// One user's part of a budget, returned when the user is destroyed. The budget outlives it.
class OctetCharge {
 public:
  OctetCharge() = default;  // belongs to the first budget from which it takes
  explicit OctetCharge(OctetBudget& budget) : budget_(&budget) {}
  OctetCharge(OctetCharge&& other) noexcept : budget_(other.budget_), held_(std::exchange(other.held_, 0)) {}
  OctetCharge& operator=(OctetCharge&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(held_, other.held_);
    return *this;
  }
  ~OctetCharge() { release_all(); }

  // Returns false, and takes nothing, if the budget does not allow it.
  bool take(std::size_t octets) {
    if (budget_->limit_ - budget_->used_ < octets) return false;
    budget_->used_ += octets;
    held_ += octets;
    return true;
  }
  bool take(OctetBudget& budget, std::size_t octets) {
    budget_ = &budget;
    return take(octets);
  }
  void release(std::size_t octets) {
    budget_->used_ -= octets;
    held_ -= octets;
  }
  void release_all() {
    if (budget_ != nullptr) release(held_);
  }
  std::size_t held() const { return held_; }

 private:
  OctetBudget* budget_ = nullptr;
  std::size_t held_ = 0;
};

}  // namespace wirelaw
