// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.4: how a Terminate Message travels, and that it is the last one.
#include "conformance/rdmap/rdmap/5.4-terminate/rules.h"
#include "conformance/rdmap/rdmap/terminate_seen.h"

namespace wirelaw::rdmap {

void check_last_message(Judge& judge, const LastMessageFact& fact) {
  const std::size_t after = fact.octets_after;
  judge.require(rule<"RDMAP-5.4-9">, after == 0, octets(0, after), expected("nothing"),
                actual([&] { return fmt::format("an FPDU of {} octets", after); }),
                [&] { return fmt::format("message {} was a Terminate", fact.terminate + 1); });
}

void judge_terminate_room(Judge& judge, const TerminateSeen& seen) {
  if (!seen.blamed || !seen.blamed->is(Opcode::terminate)) return;
  const ErrorCode error = seen.error();
  const bool refused = error == error::kDdpNoBuffer || error == error::kDdpTooLong;
  judge.require(rule<"RDMAP-5.4-4">, !refused || seen.blamed->header.msn != ddp::kFirstMsn, seen.control(),
                expected("room for one Terminate"), actual([&] { return to_string(error); }));
}

void judge_single_terminate(Judge& judge, const Seen& seen) {
  if (seen.connection.partial.empty() || seen.from.terminate || seen.header.qn != kTerminateQueue) return;
  judge.require(rule<"RDMAP-5.4-11">, seen.header.msn == ddp::kFirstMsn, field::kMsn, expected(ddp::kFirstMsn),
                actual(seen.header.msn), "no other Terminate can have been sent before");
}

}  // namespace wirelaw::rdmap
