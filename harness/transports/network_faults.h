// SPDX-License-Identifier: Apache-2.0
// The notation of network faults: loss=0.1, delay=1-20.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>

#include "reference/endpoint.h"
#include "reference/network/network_faults.h"

namespace wirelaw {

enum class NetworkFaultWord : std::uint8_t { understood, bad_value, unknown };

// Reads one parameter: loss=P, duplication=P, reordering=P (each P from 0 to 1), cut=OCTETS,
// delay=MILLISECONDS[-MILLISECONDS].
NetworkFaultWord read_network_fault(std::string_view name, std::string_view value, NetworkFaults& network_faults);

// The dice of a network. The standard fixes the numbers of the engine, not those of the distributions, so the scaling
// is done here: a seed means the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  double draw() { return static_cast<double>(random_() >> 11) * 0x1.0p-53; }  // from [0, 1)
  Instant draw_delay(const NetworkFaults& of) {
    const auto spread = static_cast<double>((of.delay_max - of.delay_min).count());
    return of.delay_min + Instant{static_cast<Instant::rep>(draw() * spread)};
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace wirelaw
