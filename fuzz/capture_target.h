// SPDX-License-Identifier: Apache-2.0
// The target fuzz_PROTOCOL_capture: a conversation of honest endpoints, whose capture is damaged. The input is the
// damage (corpora/formats/damage.h), then the script of the conversation.
#pragma once

#include "fuzz/damaged_capture.h"
#include "fuzz/record_mutator.h"

namespace wirelaw::fuzz {

inline void judge_damaged(const Protocol& protocol, void (*run)(Octets script, DamagedCapture* capture), Octets input) {
  if (input.size() < corpora::kDamageOctets) return;
  std::vector<std::string> features;  // honest endpoints may use all that there is
  for (const Feature& feature : protocol.features) features.emplace_back(feature.name);
  DamagedCapture capture(protocol, features);
  run(input.subspan(corpora::kDamageOctets), &capture);
  capture.judge(corpora::read_damage(input));
}

// Either the damage or the script is changed.
template <class Shape>
std::size_t mutate_damaged(const Shape& shape, std::span<Octet> data, std::size_t size, unsigned seed) {
  if (size < corpora::kDamageOctets || data.size() < corpora::kDamageOctets) {
    if (data.size() < corpora::kDamageOctets) return size;
    std::fill(data.begin() + static_cast<std::ptrdiff_t>(size), data.begin() + corpora::kDamageOctets, Octet{0});
    size = corpora::kDamageOctets;
  }
  constexpr unsigned kDamageInstead = 4;  // one time in so many
  if (seed % kDamageInstead == 0) {
    data[seed / kDamageInstead % corpora::kDamageOctets] = static_cast<Octet>(seed >> 8);
    return size;
  }
  return corpora::kDamageOctets +
         mutate(shape, data.subspan(corpora::kDamageOctets), size - corpora::kDamageOctets, seed);
}

}  // namespace wirelaw::fuzz
