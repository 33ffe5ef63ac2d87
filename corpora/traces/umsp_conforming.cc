// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {

std::span<const UmspSample> umsp_conforming_samples() {
  return {};
}

}  // namespace wirelaw::corpora
