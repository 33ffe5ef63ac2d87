// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/reorder.h"

#include <algorithm>
#include <utility>

namespace wirelaw::efa {
namespace {

// Memory for a kept packet in addition to its octets.
constexpr std::size_t kOverhead = 128;
// Limit on the waiting packets of one message, which bounds the work that a duplicated packet causes.
constexpr std::size_t kMostOfOne = 1024;
// Maximum number of later IDs that are skipped.
constexpr std::size_t kMostSkipped = 1024;

}  // namespace

Reorder::Place Reorder::place(std::uint32_t msg_id) const {
  const std::uint32_t ahead = msg_id - expected_;
  if (ahead == 0) return Place::next;
  if (ahead < window_) return Place::ahead;
  return ahead > 0x7fffffff ? Place::old : Place::outside;
}

Reorder::Kept Reorder::keep(std::uint32_t msg_id, Octets packet) {
  const auto found = ahead_.find(msg_id);
  if (found != ahead_.end() &&
      std::ranges::any_of(found->second, [&](const Packet& one) { return std::ranges::equal(one.octets, packet); }))
    return Kept::duplicate;
  if (skipped_.contains(msg_id)) return Kept::duplicate;
  if (found != ahead_.end() && found->second.size() == kMostOfOne) return Kept::no_room;
  OctetCharge charge;
  if (!charge.take(*budget_, packet.size() + kOverhead)) return Kept::no_room;
  ahead_[msg_id].push_back({OctetBuffer(packet.begin(), packet.end()), std::move(charge)});
  ++count_;
  return Kept::kept;
}

bool Reorder::skip(std::uint32_t msg_id) {
  if (skipped_.size() == kMostSkipped) return false;
  skipped_.insert(msg_id);
  const auto found = ahead_.find(msg_id);
  if (found == ahead_.end()) return true;
  count_ -= found->second.size();
  ahead_.erase(found);
  return true;
}

std::optional<OctetBuffer> Reorder::take() {
  do {
    if (auto packet = take_one()) return packet;
  } while (skipped_.erase(expected_++) > 0);
  --expected_;
  return std::nullopt;
}

std::optional<OctetBuffer> Reorder::take_one() {
  // The packets of the last message that began precede those of the next one.
  for (const std::uint32_t msg_id : {expected_ - 1, expected_}) {
    const auto found = ahead_.find(msg_id);
    if (found == ahead_.end()) continue;
    OctetBuffer octets = std::move(found->second.front().octets);
    found->second.erase(found->second.begin());
    if (found->second.empty()) ahead_.erase(found);
    --count_;
    return octets;
  }
  return std::nullopt;
}

void Reorder::clear() {
  ahead_.clear();
  count_ = 0;
}

}  // namespace wirelaw::efa
