// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/scripts.h"

namespace wirelaw::corpora {

TraceSet efa_traces() {
  return {.protocol = "efa", .traces = scripted_traces("efa")};
}

}  // namespace wirelaw::corpora
