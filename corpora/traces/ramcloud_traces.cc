// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/ramcloud_samples.h"

namespace wirelaw::corpora {

TraceSet ramcloud_traces() {
  return trace_set<RamcloudTraceBuilder>("ramcloud", {ramcloud_violating_samples(), ramcloud_conforming_samples()});
}

}  // namespace wirelaw::corpora
