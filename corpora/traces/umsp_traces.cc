// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/scripts.h"

namespace wirelaw::corpora {

TraceSet umsp_traces() {
  return {.protocol = "umsp", .traces = scripted_traces("umsp")};
}

}  // namespace wirelaw::corpora
