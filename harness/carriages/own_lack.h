// SPDX-License-Identifier: Apache-2.0
// What the tester lacks itself, which says nothing of the peer.
#pragma once

#include "conformance/carriage.h"

namespace wirelaw {

// The hint of every error that comes of too few file descriptors: is_own_lack() knows them by it.
inline constexpr const char* kNoSocket = "see how many files a process may open: ulimit -n";

inline bool is_own_lack(const CarriageError& error) {
  return error.hint == kNoSocket;
}

}  // namespace wirelaw
