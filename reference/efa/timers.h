// SPDX-License-Identifier: Apache-2.0
// The times at which operations must be checked.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "reference/endpoint.h"

namespace wirelaw::efa {

struct TimerTarget {
  enum class Kind : std::uint8_t { transmission, reception, gap };
  Kind kind = Kind::transmission;
  std::uint32_t id = 0;  // the operation's ID
  PeerId peer = 0;       // the peer with a gap in the order of its messages
};

class Timers {
 public:
  using Handle = std::multimap<Instant, TimerTarget>::iterator;

  Handle add(Instant due, const TimerTarget& target) { return timers_.emplace(due, target); }
  void cancel(std::optional<Handle>& handle) {
    if (handle) timers_.erase(*handle);
    handle.reset();
  }
  std::optional<Instant> first() const {
    return timers_.empty() ? std::nullopt : std::optional(timers_.begin()->first);
  }
  // Removes and returns an entry that is due.
  std::optional<TimerTarget> take(Instant now) {
    if (timers_.empty() || timers_.begin()->first > now) return std::nullopt;
    const TimerTarget target = timers_.begin()->second;
    timers_.erase(timers_.begin());
    return target;
  }

 private:
  std::multimap<Instant, TimerTarget> timers_;
};

}  // namespace wirelaw::efa
