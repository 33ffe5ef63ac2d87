// SPDX-License-Identifier: Apache-2.0
// The tables of the UMSP sample traces.
#pragma once

#include <span>

#include "corpora/traces/sample.h"
#include "corpora/traces/umsp_builder.h"

namespace wirelaw::corpora {

using UmspSample = Sample<UmspTraceBuilder>;
using UmspDatagramSample = Sample<UmspDatagrams>;

std::span<const UmspSample> umsp_conforming_samples();                // umsp_conforming.cc
std::span<const UmspDatagramSample> umsp_datagram_samples();          // umsp_datagrams.cc: all of UDP
std::span<const UmspSample> umsp_header_samples();                    // umsp_headers.cc: RFC 3018 2 to 3
std::span<const UmspSample> umsp_response_samples();                  // umsp_responses.cc: 4
std::span<const UmspSample> umsp_job_samples();                       // umsp_jobs.cc: 5, 5.1, 5.6
std::span<const UmspDatagramSample> umsp_job_datagrams();             // umsp_jobs.cc: 5 over UDP
std::span<const UmspSample> umsp_task_samples();                      // umsp_tasks.cc: 5.2, 5.5
std::span<const UmspSample> umsp_activity_samples();                  // umsp_activity.cc: 5.7
std::span<const UmspSample> umsp_node_samples();                      // umsp_nodes.cc: 5, 9, if both nodes are known
std::span<const UmspSample> umsp_session_samples();                   // umsp_sessions.cc: 5.3 to 5.3.3
std::span<const UmspSample> umsp_profile_samples();                   // umsp_profiles.cc: 5.3.4, 5.8
std::span<const UmspSample> umsp_closing_samples();                   // umsp_closing.cc: 5.4
std::span<const UmspSample> umsp_exchange_samples();                  // umsp_exchange.cc: 6 to 6.5
std::span<const UmspDatagramSample> umsp_vm_datagrams();              // umsp_exchange_datagrams.cc: 6 over UDP
std::span<const UmspSample> umsp_object_samples();                    // umsp_objects.cc: 6.6
std::span<const UmspSample> umsp_chain_samples();                     // umsp_chains.cc: 7, 7.1, 7.2, 7.5, 7.6
std::span<const UmspSample> umsp_fragment_samples();                  // umsp_fragments.cc: 7.3
std::span<const UmspSample> umsp_buffer_samples();                    // umsp_buffers.cc: 7.4
std::span<const UmspDatagramSample> umsp_chained_datagram_samples();  // umsp_chains.cc: 7 over UDP
std::span<const UmspSample> umsp_extension_samples();                 // umsp_extensions.cc: 8, 9

TraceSet umsp_traces();  // all of them

}  // namespace wirelaw::corpora
