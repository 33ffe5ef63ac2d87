// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/smbd_samples.h"

namespace wirelaw::corpora {

namespace {

// The same conversation over RoCEv2.
Trace over_roce(const SmbdSample& sample, Trace trace) {
  SmbdTraceBuilder builder(smbd_over_roce());
  sample.build(builder);
  trace.name += "-roce";
  trace.messages = builder.take();
  trace.is_stream = false;
  trace.is_roce = true;
  return trace;
}

}  // namespace

TraceSet smbd_traces() {
  TraceSet set{.protocol = "smbd", .traces = {}};
  for (const auto table :
       {smbd_conforming_samples(), smbd_negotiate_samples(), smbd_segment_samples(), smbd_credit_samples()})
    for (const SmbdSample& sample : table) {
      set.traces.push_back(trace_of(sample));
      set.traces.push_back(over_roce(sample, set.traces.back()));
    }
  return set;
}

}  // namespace wirelaw::corpora
