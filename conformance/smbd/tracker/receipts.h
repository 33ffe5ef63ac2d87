// SPDX-License-Identifier: Apache-2.0
// The Data Transfers that one side must have received from the other when it sends. Its behaviour or acknowledgments of
// the transport prove it, but never time. A side that spends a credit has received the message that granted it, and all
// before that.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace wirelaw::smbd {

class Receipts {
 public:
  // The negotiate message of the other side has passed.
  void begin(std::uint16_t granted, std::uint16_t wanted) {
    target_ = wanted;
    grant(granted);
  }
  // A Data Transfer of the other side has passed.
  void pass(std::uint16_t granted, std::uint16_t wanted) {
    ++passed_;
    want(wanted);
    grant(granted);
  }
  // This side sends one.
  void spend() {
    ++spent_;
    while (count_ > 0 && spent_ > limit_) {
      const Grant& oldest = grants_[first_];
      first_ = (first_ + 1) % kMost;
      --count_;
      limit_ = proven_credits_ = oldest.credits;
      proven_ = std::max(proven_, oldest.passed);
      processed_ = std::max(processed_, oldest.passed);
    }
    settle_target();
  }
  // This side has received everything that has passed.
  void prove_all() {
    proven_ = passed_;
    limit_ = proven_credits_ = granted_;
    count_ = 0;
    settle_target();
  }

  bool has_all() const { return proven_ == passed_; }
  // How many the side may not have processed yet. An acknowledgment of the transport does not show that it has.
  std::uint64_t not_processed() const { return passed_ - processed_; }
  // Returns true if the side has received this many of the other side's Data Transfers.
  bool has(std::uint64_t messages) const { return proven_ >= messages; }
  std::uint64_t passed() const { return passed_; }
  // Lower bound of its credits before it spent the latest.
  std::uint64_t credits_at_least() const { return proven_credits_ + 1 > spent_ ? proven_credits_ + 1 - spent_ : 0; }
  // The largest CreditsRequested that the side may consider the other side's latest (3.1.5.8).
  std::uint16_t target() const { return target_; }

 private:
  static constexpr std::size_t kMost = 16;
  struct Grant {
    std::uint64_t passed = 0;   // the message's number
    std::uint64_t credits = 0;  // total credits granted up to it
  };

  // If more grants wait for proof than are kept, the newer ones must prove what the oldest would have.
  void grant(std::uint16_t granted) {
    if (granted == 0) return;
    if (count_ == kMost) {
      count_ = 0;
      limit_ = granted_;
    }
    granted_ += granted;
    grants_[(first_ + count_++) % kMost] = {.passed = passed_, .credits = granted_};
  }
  void want(std::uint16_t wanted) {
    if (wanted >= target_) {
      target_ = wanted;
      lower_since_ = 0;
    } else if (lower_since_ == 0) {
      lower_since_ = passed_;
      lower_ = wanted;
    } else {
      lower_ = std::max(lower_, wanted);
    }
  }
  void settle_target() {
    if (lower_since_ == 0 || proven_ < lower_since_) return;
    target_ = lower_;
    lower_since_ = 0;
  }

  std::uint64_t passed_ = 0, proven_ = 0;  // Data Transfers of the other side
  std::uint64_t processed_ = 0;            // those whose grants were spent, and all before them
  std::uint64_t granted_ = 0, proven_credits_ = 0, spent_ = 0;
  std::uint64_t limit_ = 0;  // spending more credits than this proves the oldest waiting grant
  std::array<Grant, kMost> grants_{};
  std::size_t first_ = 0, count_ = 0;
  std::uint16_t target_ = 0;
  std::uint64_t lower_since_ = 0;  // first of the latest messages in a row that asked for less; 0: none
  std::uint16_t lower_ = 0;
};

}  // namespace wirelaw::smbd
