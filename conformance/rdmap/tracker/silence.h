// SPDX-License-Identifier: Apache-2.0
// What never came although it was due, judged when the trace is over (INTERPRETATIONS, RDMAP/A-63).
#pragma once

#include "conformance/rdmap/tracker/seen.h"

namespace wirelaw::rdmap {

// As long as TCP has to be able to go on sending a segment again (RFC 9293, 3.8.3: R2 is at least 100 seconds), what is
// due may still be on its way.
inline constexpr std::int64_t kGraceNs = 100'000'000'000;

// Nobody has ended the connection, and the trace went on behind its last octets.
void judge_silence(Judge& judge, const Connection& connection);

// --- each beside its rule; `silent`: so long has the side that is to blame sent nothing
void judge_unanswered_read(Judge& judge, const Connection& connection, const Direction& responder);   // read.cc
void judge_open_after_terminate(Judge& judge, const Direction& from);                                 // teardown.cc
void judge_unanswered_request(Judge& judge, const Direction& initiator, const Direction& responder);  // mpa/s7_1_2_…
void judge_missing_indication(Judge& judge, const Agreed& agreed, const Direction& initiator);        // mpa/ece_5_…

// It was due since `due_ns`, and `from` has sent nothing for as long though it could have.
inline bool is_overdue(const Judge& judge, const Direction& from, std::int64_t due_ns) {
  return judge.now_ns() - std::max({due_ns, from.last_ns, judge.held_until_ns(from.side)}) >= kGraceNs;
}

}  // namespace wirelaw::rdmap
