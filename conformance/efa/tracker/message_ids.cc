// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/tracker/message_ids.h"

#include <algorithm>

namespace wirelaw::efa {

// Until now every ID from the lowest to the newest has been used.
void MessageIds::disorder() {
  if (bits_) return;
  bits_ = std::make_unique<Bits>();
  const auto known = static_cast<std::uint32_t>(std::min<std::uint64_t>(span_, kWindow));
  for (std::uint32_t back = 0; back < known; ++back) bits_->set((newest_ - back) % kWindow);
}

bool MessageIds::has(std::uint32_t id) const {
  const std::uint32_t back = newest_ - id;
  return within(back) && (!bits_ || bits_->test(id % kWindow));
}

std::optional<std::uint32_t> MessageIds::missing() const {
  if (!bits_) return std::nullopt;
  for (std::uint32_t back = 1; within(back); ++back)
    if (!bits_->test((newest_ - back) % kWindow)) return newest_ - back;
  return std::nullopt;
}

MessageIds::Place MessageIds::add_out_of_order(std::uint32_t id) {
  if (!any()) {
    newest_ = id;
    span_ = used_ = 1;
    return Place::next;
  }
  const std::uint32_t ahead = id - newest_;  // modulo 2^32
  if (ahead != 0 && ahead < 0x8000'0000u) {
    disorder();
    if (ahead >= kWindow)
      bits_->reset();
    else
      for (std::uint32_t one = 1; one < ahead; ++one) bits_->reset((newest_ + one) % kWindow);
    bits_->set(id % kWindow);
    newest_ = id;
    span_ += ahead;
    ++used_;
    return ahead == 1 ? Place::next : Place::ahead;
  }
  if (has(id)) return Place::repeated;
  const std::uint32_t back = newest_ - id;
  if (back >= kWindow) return Place::unknown;
  disorder();
  bits_->set(id % kWindow);
  ++used_;
  span_ = std::max<std::uint64_t>(span_, std::uint64_t{back} + 1);
  return Place::late;
}

}  // namespace wirelaw::efa
