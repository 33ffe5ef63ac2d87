// SPDX-License-Identifier: Apache-2.0
// The target fuzz_PROTOCOL_capture: damages the capture of a conversation of honest endpoints. The input is the damage
// (corpora/formats/damage.h), then the steps of the conversation.
#pragma once

#include "fuzz/damaged_capture.h"

namespace wirelaw::fuzz {

inline void judge_damaged(const Protocol& protocol, void (*run)(Octets conversation, DamagedCapture* capture),
                          Octets input) {
  if (input.size() < corpora::kDamageOctets) return;
  std::vector<std::string> features;  // features that the endpoints declare
  for (const Feature& feature : protocol.features) features.emplace_back(feature.name);
  DamagedCapture capture(protocol, features);
  run(input.subspan(corpora::kDamageOctets), &capture);
  capture.judge(corpora::read_damage(input));
}

}  // namespace wirelaw::fuzz
