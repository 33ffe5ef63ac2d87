// SPDX-License-Identifier: Apache-2.0
// The buffer in which a receiver keeps a chain until it is executed (RFC 3018 7.4). Sizes are octets of its
// instructions on the wire.
#pragma once

#include <cstdint>

namespace wirelaw::umsp {

enum class Buffer : std::uint8_t {
  none,     // a sequence in order: executed on arrival
  segment,  // the whole chain is in one segment so far: no buffer
  window,   // the session's window
  granted,  // granted by REQ_BUF
};

struct Room {
  Buffer buffer = Buffer::none;
  std::uint64_t octets = 0;   // used by the chain
  std::uint64_t granted = 0;  // granted by REQ_BUF
};

}  // namespace wirelaw::umsp
