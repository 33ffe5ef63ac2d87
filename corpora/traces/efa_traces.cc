// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {

TraceSet efa_traces() {
  return trace_set<EfaTraceBuilder>(
      "efa",
      {efa_basic_samples(), efa_handshake_samples(), efa_meeting_samples(), efa_request_samples(), efa_connid_samples(),
       efa_message_samples(), efa_long_cts_samples(), efa_one_sided_samples(), efa_atomic_samples(), efa_read_samples(),
       efa_refused_read_samples(), efa_later_samples(), efa_peer_error_samples()});
}

}  // namespace wirelaw::corpora
