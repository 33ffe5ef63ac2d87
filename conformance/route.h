// SPDX-License-Identifier: Apache-2.0
// The route of a conversation: one of several addresses that the tester may have, and one of two transports that a
// protocol may use at the same time.
#pragma once

#include <cstdint>

namespace wirelaw {

struct Route {
  unsigned node = 0;  // node of the tester; each has its own address; 0: the only one, or the first
  // Use datagrams, not streams, between the same addresses. No effect if the transport has only datagrams.
  bool datagrams = false;
  std::uint16_t port = 0;  // port of the tester, if the IUT connects to it; 0: any
};

}  // namespace wirelaw
