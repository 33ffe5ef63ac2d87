// SPDX-License-Identifier: Apache-2.0
// Which way a conversation of a case takes: of several addresses that the tester may have, and of two transports that a
// protocol may travel over at once.
#pragma once

#include <cstdint>

namespace wirelaw {

struct Route {
  unsigned node = 0;       // of the tester's, each of which has an address of its own; 0: the one that it has anyway
  bool datagrams = false;  // beside streams: datagrams, between the same addresses; of datagrams alone it is no matter
  std::uint16_t port = 0;  // of ours, where the IUT connects to us; 0: any
};

}  // namespace wirelaw
