// SPDX-License-Identifier: Apache-2.0
// The traces of SMB Direct: each script over iWARP, and over RoCEv2.
#include "corpora/traces/over_roce.h"
#include "corpora/traces/scripts.h"

namespace wirelaw::corpora {

TraceSet smbd_traces() {
  TraceSet set{.protocol = "smbd", .traces = {}};
  for (const Trace& trace : scripted_traces("smbd")) {
    set.traces.push_back(trace);
    set.traces.push_back(over_roce(trace));
  }
  return set;
}

}  // namespace wirelaw::corpora
