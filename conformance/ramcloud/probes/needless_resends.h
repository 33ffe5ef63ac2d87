// SPDX-License-Identifier: Apache-2.0
// Detects a sender that repeats more fragments than are missing ("Multi-packet request is lost", "Multi-packet response
// is lost").
#pragma once

#include <map>
#include <set>

#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

// Follows the repetitions of one message, one fragment of which is withheld for a few rounds. A round begins when the
// withheld fragment arrives and lasts at least `least`, because an earlier repetition may have been sent before the ACK
// arrived. A fragment that was acknowledged twice before a round is needless in it; one ACK alone may be lost. One
// needless fragment in a round may be a probe for an ACK, and late packets may arrive in one round. Two needless
// fragments in each of two rounds are a fault.
class NeedlessResends {
 public:
  NeedlessResends(std::uint16_t withheld, unsigned rounds, std::chrono::nanoseconds least)
      : withheld_(withheld), rounds_(rounds), least_(least) {}

  // Returns true if the fragment, which has just come, must be treated as lost.
  bool lose(std::uint16_t number, Instant now) {
    if (number != withheld_) {
      if (const auto acks = acknowledged_before_.find(number); acks != acknowledged_before_.end() && acks->second > 1)
        needless_.insert(number);
      if (needless_.size() == 2 && last_strike_ != round_) {
        ++strikes_;
        last_strike_ = round_;
      }
      return false;
    }
    if (round_ > 0 && now < round_began_ + least_) return round_ <= rounds_;
    round_began_ = now;
    ++round_;
    needless_.clear();
    acknowledged_before_ = acknowledged_;
    return round_ <= rounds_;
  }
  void acknowledge(const Ack& ack) {
    for (std::uint16_t number = 0; number < ack.first_missing_frag; ++number) ++acknowledged_[number];
    for (unsigned bit = 0; bit < kStagingBits; ++bit)
      if ((ack.staging_vector >> bit & 1) != 0)
        ++acknowledged_[static_cast<std::uint16_t>(ack.first_missing_frag + 1 + bit)];
  }
  unsigned rounds() const { return round_; }  // how often the withheld fragment came
  bool found() const { return strikes_ >= 2; }

 private:
  std::uint16_t withheld_;
  unsigned rounds_;
  std::chrono::nanoseconds least_;
  unsigned round_ = 0;
  unsigned strikes_ = 0;
  unsigned last_strike_ = 0;
  Instant round_began_{};
  std::map<std::uint16_t, unsigned> acknowledged_, acknowledged_before_;  // how often, by fragment
  std::set<std::uint16_t> needless_;
};

}  // namespace wirelaw::ramcloud
