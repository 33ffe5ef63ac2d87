// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/message_ids.h"

namespace wirelaw::efa {

void MessageIds::begin_at(std::uint32_t id) {
  any_ = true;
  first_ = next_ = newest_ = id;
  ahead_ = 0;
  if (bits_) bits_->reset();
}

MessageIds::Place MessageIds::add(std::uint32_t id) {
  if (!any_) {
    any_ = true;
    first_ = id;
  }
  const std::uint32_t distance = id - next_;  // modulo 2^32
  if (distance == 0) {
    ++next_;
    while (ahead_ > 0 && bits_->test(next_ % kWindow)) {
      bits_->reset(next_ % kWindow);
      --ahead_;
      ++next_;
    }
    return Place::next;
  }
  if (distance >= 0x8000'0000u) return Place::repeated;
  if (distance >= kWindow) {
    begin_at(id + 1);
    return Place::too_far;
  }
  if (!bits_) bits_ = std::make_unique<std::bitset<kWindow>>();
  if (bits_->test(id % kWindow)) return Place::repeated;
  bits_->set(id % kWindow);
  if (ahead_++ == 0 || static_cast<std::int32_t>(id - newest_) > 0) newest_ = id;
  return Place::ahead;
}

}  // namespace wirelaw::efa
