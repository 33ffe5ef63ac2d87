// SPDX-License-Identifier: Apache-2.0
// Impairments of a network, and their notation: loss=0.1, delay=1-20. The networks in memory and `wirelaw relay` have
// the same parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>

#include "reference/endpoint.h"

namespace wirelaw {

struct Impairments {
  // --- datagrams
  double loss = 0;         // probability that a datagram is lost
  double duplication = 0;  // probability that it arrives twice
  double reordering = 0;   // probability that it is held back for `held_back`, so that later ones overtake it
  Instant held_back = std::chrono::milliseconds{1};
  // --- streams
  std::size_t cut = 1460;  // octets arrive in pieces of 1 to this many
  // --- both
  Instant delay_min = std::chrono::microseconds{10};  // one way; evenly spread between the two
  Instant delay_max = std::chrono::microseconds{10};
};

enum class ImpairmentWord : std::uint8_t { understood, bad_value, unknown };

// Reads one parameter: loss=P, duplication=P, reordering=P (each P from 0 to 1), cut=OCTETS,
// delay=MILLISECONDS[-MILLISECONDS].
ImpairmentWord read_impairment(std::string_view name, std::string_view value, Impairments& impairments);

// The dice of a network. The standard fixes the numbers of the engine, not those of the distributions, so the scaling
// is done here: a seed means the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  double draw() { return static_cast<double>(random_() >> 11) * 0x1.0p-53; }  // from [0, 1)
  Instant draw_delay(const Impairments& of) {
    const auto spread = static_cast<double>((of.delay_max - of.delay_min).count());
    return of.delay_min + Instant{static_cast<Instant::rep>(draw() * spread)};
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace wirelaw
