// SPDX-License-Identifier: Apache-2.0
// A bound on the octets that an endpoint keeps for its peers, shared by everything that keeps some.
#pragma once

#include <cstddef>
#include <utility>

namespace wirelaw::efa {

class Budget {
 public:
  explicit Budget(std::size_t limit) : limit_(limit) {}
  std::size_t used() const { return used_; }

 private:
  friend class Charge;
  std::size_t limit_;
  std::size_t used_ = 0;
};

// One keeper's part of a budget, given back when the keeper goes. The budget outlives it.
class Charge {
 public:
  Charge() = default;
  Charge(Charge&& other) noexcept : budget_(other.budget_), held_(std::exchange(other.held_, 0)) {}
  Charge& operator=(Charge&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(held_, other.held_);
    return *this;
  }
  ~Charge() { release(); }

  // False, and nothing taken, where the budget does not allow it. One charge takes from one budget.
  bool take(Budget& budget, std::size_t octets) {
    if (budget.limit_ - budget.used_ < octets) return false;
    budget_ = &budget;
    budget.used_ += octets;
    held_ += octets;
    return true;
  }
  void release() {
    if (budget_ != nullptr) budget_->used_ -= std::exchange(held_, 0);
  }

 private:
  Budget* budget_ = nullptr;
  std::size_t held_ = 0;
};

}  // namespace wirelaw::efa
