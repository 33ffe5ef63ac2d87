// SPDX-License-Identifier: Apache-2.0
// Follows the RDMAP messages of a side: which request each response answers, and which wait. It judges nothing.
#pragma once

#include "conformance/rdmap/tracker/seen.h"

namespace wirelaw::rdmap {

// Called for each segment whose DDP message is known.
void take_operation(Seen& seen);
// The same for the opcodes of RFC 7306, if the peers declare it: called before requests and responses are followed.
void take_extension(Seen& seen);

// Every request of the other side that may wait for an answer is known.
inline bool all_requests_known(const Seen& seen) {
  return all_is_known(seen.connection) && seen.to.reads.forgotten == 0 && !ends_within_fpdu(seen.to);
}
// The STag and the lowest TO so far of the Read Response are those of this request's sink.
bool goes_to_sink(const Seen& seen, const ReadRequest& request);
// This segment of a Read Response is the first that shows which Read it answers.
bool shows_answered_read(const Seen& seen);
// A request is answered: states if its receiver has accepted a fault that it has to refuse (RDMAP/A-77).
void note_accepted(Seen& seen, const OutstandingRead& request);
void wait_for_answer(Seen& seen, OutstandingRead read);

}  // namespace wirelaw::rdmap
