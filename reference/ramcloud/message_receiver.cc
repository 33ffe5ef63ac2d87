// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/message_receiver.h"

#include <utility>

namespace wirelaw::ramcloud {
namespace {

// Memory for a staged fragment in addition to its payload, so that empty ones are not free.
constexpr std::size_t kStagedOverhead = 64;

}  // namespace

MessageReceiver::Outcome MessageReceiver::take(std::uint16_t number, std::uint16_t total, Octets payload) {
  if (!exists(number, total)) return Outcome::no_such_fragment;
  total_ = settle_total(total);
  if (*total_ != total) return Outcome::other_total;
  if (contains(number)) {
    on_duplicate(number, payload);
    return Outcome::duplicate;
  }
  if (number > first_missing_ + kStagingBits) return Outcome::beyond_window;
  if (number > first_missing_) return stage(number, payload) ? Outcome::stored : Outcome::over_budget;
  if (!append(payload)) return Outcome::over_budget;
  ++first_missing_;
  absorb_staged();
  return Outcome::stored;
}

bool MessageReceiver::append(Octets payload) {
  if (limit_ - message_.size() - staged_octets_ < payload.size() || !charge_.take(payload.size())) return false;
  message_.insert(message_.end(), payload.begin(), payload.end());
  return true;
}

bool MessageReceiver::stage(std::uint16_t number, Octets payload) {
  if (limit_ - message_.size() - staged_octets_ < payload.size()) return false;
  if (!charge_.take(payload.size() + kStagedOverhead)) return false;
  staged_octets_ += payload.size();
  staged_.emplace(number, OctetBuffer(payload.begin(), payload.end()));
  return true;
}

void MessageReceiver::absorb_staged() {
  for (auto next = staged_.find(first_missing_); next != staged_.end(); next = staged_.find(first_missing_)) {
    staged_octets_ -= next->second.size();
    message_.insert(message_.end(), next->second.begin(), next->second.end());
    charge_.release(kStagedOverhead);
    staged_.erase(next);
    ++first_missing_;
  }
}

Ack MessageReceiver::ack() const {
  Ack ack{.first_missing_frag = first_missing_};
  for (const auto& [number, octets] : staged_) ack.staging_vector |= std::uint32_t{1} << (number - first_missing_ - 1);
  return ack;
}

OctetBuffer MessageReceiver::release() {
  staged_octets_ = 0;
  staged_.clear();
  charge_.release_all();
  return std::exchange(message_, {});
}

}  // namespace wirelaw::ramcloud
