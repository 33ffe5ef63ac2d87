// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.4: how a Terminate Message travels, and that it is the last one.
#include "conformance/rdmap/rdmap/5.4-terminate/rules.h"
#include "conformance/rdmap/rdmap/terminate_checks.h"

namespace wirelaw::rdmap {

void check_last_message(Judge& judge, const LastMessageFact& fact) {
  const std::size_t after = fact.octets_after;
  judge.require(rule<"RDMAP-5.4-9">, after == 0, octets(0, after), expected("nothing"),
                actual([&] { return fmt::format("an FPDU of {} octets", after); }),
                [&] { return fmt::format("message {} was a Terminate", fact.terminate + 1); });
}

void check_terminate_room(Judge& judge, const TerminateFact& fact) {
  if (!fact.blamed || !fact.blamed->is(Opcode::terminate)) return;
  const ErrorCode error = fact.error();
  const bool refused = error == error::kDdpNoBuffer || error == error::kDdpTooLong;
  judge.require(rule<"RDMAP-5.4-4">, !refused || fact.blamed->header.msn != ddp::kFirstMsn, field::kTerminateControl,
                expected("room for one Terminate"), actual([&] { return to_string(error); }));
}

void check_single_terminate(Judge& judge, std::uint32_t msn) {
  judge.require(rule<"RDMAP-5.4-11">, msn == ddp::kFirstMsn, field::kMsn, expected(ddp::kFirstMsn), actual(msn),
                "no other Terminate can have been sent before");
}

}  // namespace wirelaw::rdmap
