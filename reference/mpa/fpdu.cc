// SPDX-License-Identifier: Apache-2.0
#include "reference/mpa/fpdu.h"

#include <algorithm>

namespace wirelaw::mpa {

std::size_t mulpdu(std::size_t emss, bool markers) {
  const std::size_t most_markers_in_segment = markers ? (emss + kMarkerInterval - 1) / kMarkerInterval : 0;
  const std::size_t overhead = kLengthOctets + kCrcOctets + kMarkerOctets * most_markers_in_segment + emss % 4;
  return std::clamp(emss > overhead ? emss - overhead : 0, kMinMulpdu, kMaxUlpdu);
}

}  // namespace wirelaw::mpa
