// SPDX-License-Identifier: Apache-2.0
// Waiting for descriptors, with a deadline.
#pragma once

#include <poll.h>

#include <chrono>
#include <span>

namespace wirelaw {

// True if any of them is ready, or has an error, before the deadline. `revents` shows which.
bool wait_for(std::span<pollfd> descriptors, std::chrono::steady_clock::time_point deadline);

}  // namespace wirelaw
