// SPDX-License-Identifier: Apache-2.0
#include "harness/wait.h"

#include <algorithm>
#include <cerrno>

namespace wirelaw {

bool wait_for(std::span<pollfd> descriptors, std::chrono::steady_clock::time_point deadline) {
  using Clock = std::chrono::steady_clock;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    constexpr std::int64_t kLongest = 1'000'000'000;
    const int ready = ::poll(descriptors.data(), descriptors.size(),
                             static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, kLongest)));
    if (ready > 0) return true;
    if (ready == 0 && Clock::now() >= deadline) return false;
    if (ready < 0 && errno != EINTR) return true;  // the next call on the descriptor reports the error
  }
}

}  // namespace wirelaw
