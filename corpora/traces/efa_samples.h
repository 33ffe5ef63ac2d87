// SPDX-License-Identifier: Apache-2.0
// The tables of the EFA RDM sample traces.
#pragma once

#include <span>

#include "corpora/traces/efa_builder.h"
#include "corpora/traces/sample.h"

namespace wirelaw::corpora {

using EfaSample = Sample<EfaTraceBuilder>;

std::span<const EfaSample> efa_basic_samples();      // efa_basics.cc: 1
std::span<const EfaSample> efa_handshake_samples();  // efa_handshakes.cc: 2
std::span<const EfaSample> efa_meeting_samples();    // efa_meetings.cc: 2.1, 2.2, 3.2, for addresses inserted again
std::span<const EfaSample> efa_request_samples();    // efa_requests.cc: 3.1
std::span<const EfaSample> efa_connid_samples();     // efa_connids.cc: 4.3, 4.4
std::span<const EfaSample> efa_message_samples();    // efa_messages.cc: 3.2, message IDs and medium messages; 4.2
std::span<const EfaSample> efa_long_cts_samples();   // efa_long_cts.cc: 3.2, long-CTS messages, CTS and CTSDATA
std::span<const EfaSample> efa_one_sided_samples();  // efa_one_sided.cc, efa_atomics.cc: 3.3
std::span<const EfaSample> efa_atomic_samples();
std::span<const EfaSample> efa_read_samples();          // efa_reads.cc: 4.1, 4.5, 4.6
std::span<const EfaSample> efa_refused_read_samples();  // efa_refused_reads.cc: 4.7
std::span<const EfaSample> efa_later_samples();         // efa_later.cc, efa_peer_errors.cc: later documents
std::span<const EfaSample> efa_peer_error_samples();

TraceSet efa_traces();  // all of them

}  // namespace wirelaw::corpora
