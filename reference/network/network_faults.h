// SPDX-License-Identifier: Apache-2.0
// What a network does to datagrams and streams. All networks in memory, those of the tests included, and
// `wirelaw relay` have the same parameters.
#pragma once

#include <chrono>
#include <cstddef>

namespace wirelaw {

struct NetworkFaults {
  // --- datagrams
  double loss = 0;         // probability that a datagram is lost
  double duplication = 0;  // probability that it arrives twice
  double reordering = 0;   // probability that it is held back for `held_back`, so that later ones overtake it
  std::chrono::nanoseconds held_back = std::chrono::milliseconds{1};
  // --- streams
  std::size_t cut = 1460;  // octets arrive in pieces of 1 to this many
  // --- both
  std::chrono::nanoseconds delay_min = std::chrono::microseconds{10};  // one way; evenly spread between the two
  std::chrono::nanoseconds delay_max = std::chrono::microseconds{10};
};

}  // namespace wirelaw
