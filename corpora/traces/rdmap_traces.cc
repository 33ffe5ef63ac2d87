// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/rdmap_samples.h"

namespace wirelaw::corpora {

TraceSet rdmap_traces() {
  return trace_set<RdmapTraceBuilder>(
      "rdmap", {mpa_conforming_samples(), fpdu_samples(), start_frame_samples(), ddp_samples(), rdmap_samples(),
                terminate_samples(), terminate_cause_samples(), extension_samples(), silence_samples()});
}

}  // namespace wirelaw::corpora
