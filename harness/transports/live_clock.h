// SPDX-License-Identifier: Apache-2.0
// The monotonic clock of a live run, from 0.
#pragma once

#include <algorithm>
#include <chrono>

#include "reference/endpoint.h"

namespace wirelaw {

class LiveClock {
 public:
  using Steady = std::chrono::steady_clock;

  Instant now() const { return Steady::now() - start_; }
  // Times that the clock cannot hold are as good as never.
  Steady::time_point at(Instant instant) const {
    constexpr Instant kNever = std::chrono::hours{24 * 365};
    return start_ + std::min(instant, kNever);
  }
  std::int64_t epoch_ns() const { return epoch_ns_; }

 private:
  Steady::time_point start_ = Steady::now();
  std::int64_t epoch_ns_ =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
};

}  // namespace wirelaw
