// SPDX-License-Identifier: Apache-2.0
// Where a receiver keeps a chain until it is executed (RFC 3018 7.4). Sizes are octets of its instructions on the wire.
#pragma once

#include <cstdint>

namespace wirelaw::umsp {

enum class Buffer : std::uint8_t {
  none,     // a sequence, in order: executed as it comes
  segment,  // all of it came in one segment so far: no buffer
  window,   // the session's
  granted,  // granted by REQ_BUF
};

struct Room {
  Buffer buffer = Buffer::none;
  std::uint64_t octets = 0;   // taken by the chain
  std::uint64_t granted = 0;  // granted by REQ_BUF
};

}  // namespace wirelaw::umsp
