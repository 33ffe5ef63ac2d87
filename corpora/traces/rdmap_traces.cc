// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/scripts.h"

namespace wirelaw::corpora {

TraceSet rdmap_traces() {
  return {.protocol = "rdmap", .traces = scripted_traces("rdmap")};
}

}  // namespace wirelaw::corpora
