// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/scripts.h"
#include "corpora/traces/umsp_datagrams.h"

namespace wirelaw::corpora {

TraceSet umsp_traces() {
  TraceSet set{.protocol = "umsp", .traces = scripted_traces("umsp")};
  for (const UmspDatagramSample& sample : umsp_datagram_samples()) set.traces.push_back(trace_of(sample));
  return set;
}

}  // namespace wirelaw::corpora
