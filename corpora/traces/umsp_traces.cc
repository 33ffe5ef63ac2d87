// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/umsp_samples.h"

namespace wirelaw::corpora {

TraceSet umsp_traces() {
  TraceSet set{.protocol = "umsp", .traces = {}};
  for (const auto table :
       {umsp_conforming_samples(), umsp_header_samples(), umsp_response_samples(), umsp_job_samples(),
        umsp_task_samples(), umsp_activity_samples(), umsp_session_samples(), umsp_profile_samples(),
        umsp_closing_samples(), umsp_exchange_samples(), umsp_object_samples(), umsp_chain_samples(),
        umsp_fragment_samples(), umsp_buffer_samples(), umsp_extension_samples()})
    for (const UmspSample& sample : table) set.traces.push_back(trace_of(sample));
  for (const UmspSample& sample : umsp_node_samples()) {
    set.traces.push_back(trace_of(sample));
    set.traces.back().joined = true;
  }
  for (const auto table :
       {umsp_datagram_samples(), umsp_chained_datagram_samples(), umsp_job_datagrams(), umsp_vm_datagrams()})
    for (const UmspDatagramSample& sample : table) set.traces.push_back(trace_of(sample));
  return set;
}

}  // namespace wirelaw::corpora
