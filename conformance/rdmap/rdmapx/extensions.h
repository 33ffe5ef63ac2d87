// SPDX-License-Identifier: Apache-2.0
// The checks of RFC 7306, in the order in which judge_extensions() asks for them. They see segments of the four opcodes
// that it adds, on connections whose peers declare it.
#pragma once

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/tracker/seen.h"

namespace wirelaw::rdmap {

// Every request of the other side that may wait for an answer is known.
inline bool all_requests_known(const Seen& seen) {
  return all_is_known(seen.connection) && seen.to.reads_forgotten == 0 && !ends_within_fpdu(seen.to);
}

// header_extensions.cc. Returns false if it is on the wrong queue, or if its header is incomplete.
bool judge_extension_fields(Judge& judge, Seen& seen);
// operations.cc
void judge_atomic_target(Judge& judge, Seen& seen, const AtomicRequest& request);
// atomic_messages.cc
void judge_atomic_request(Judge& judge, Seen& seen, const AtomicRequest& request);
void judge_atomic_response(Judge& judge, Seen& seen, const AtomicResponse& response);
// extension_ordering.cc `answered` is the Atomic Request that this response answers.
void judge_atomic_after_reads(Judge& judge, Seen& seen, const OutstandingRead& answered);
void judge_read_after_atomics(Judge& judge, Seen& seen);

}  // namespace wirelaw::rdmap
