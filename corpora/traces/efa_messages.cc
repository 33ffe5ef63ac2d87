// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {
namespace {

using Script = EfaScript;

const EfaSample kSamples[] = {
    {"", "An eager message, the handshakes, and another message.",
     [](Script& s) {
       s.meet();
       s.eager(Side::a);
     },
     "efa-eager"},
};

}  // namespace

std::span<const EfaSample> efa_message_samples() {
  return kSamples;
}

}  // namespace wirelaw::corpora
