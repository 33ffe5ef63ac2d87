// SPDX-License-Identifier: Apache-2.0
#include "pcap/time_order.h"

#include <functional>

namespace wirelaw::pcap {

void TimeOrder::make_room() {
  if (begin_ == 1) return;
  std::copy(entries_.begin() + static_cast<std::ptrdiff_t>(begin_ - 1),
            entries_.begin() + static_cast<std::ptrdiff_t>(end_), entries_.begin());
  end_ -= begin_ - 1;
  settled_ -= begin_ - 1;
  begin_ = 1;
}

bool TimeOrder::settle(bool nothing_follows) {
  const std::size_t open = nothing_follows ? 0 : kWindow - 1;
  settled_ = std::max(settled_, end_ - std::min(end_ - begin_, open));
  return has_next();
}

void TimeOrder::put_in_place(std::size_t at) {
  const Frame frame = entries_[at];
  for (; at != begin_ && belongs_before(frame, entries_[at - 1]); --at) entries_[at] = entries_[at - 1];
  entries_[at] = frame;
  Frame& before = entries_[at - 1];
  if (before.number == 0 || before.time_ns != frame.time_ns) return;
  if (before.number < part_ || frame.number == part_) return;
  before.order_unknown = entries_[at].order_unknown = true;
}

void TimeOrder::keep_octets(Octets going) {
  const std::less<const Octet*> is_before;
  for (std::size_t at = begin_; at != end_; ++at) {
    const Octet* const octets = entries_[at].octets.data();
    if (!is_before(octets, going.data()) && is_before(octets, going.data() + going.size())) keep_octets(entries_[at]);
  }
}

void TimeOrder::keep_octets(Frame& frame) {
  OctetBuffer& buffer = kept_[frame.number % kept_.size()];
  buffer.assign(frame.octets.begin(), frame.octets.end());
  frame.octets = buffer;
}

}  // namespace wirelaw::pcap
