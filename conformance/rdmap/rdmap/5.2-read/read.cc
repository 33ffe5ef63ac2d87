// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.2: an RDMA Read is one request and one response.
#include "conformance/rdmap/rdmap/5.2-read/rules.h"
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/rdmap/rdmap/terminate_checks.h"

namespace wirelaw::rdmap {

bool check_answer(Judge& judge, const AnswerFact& fact, Evidence evidence) {
  const std::string_view why = or_another_request(evidence);
  if (!judge.require(rule<"RDMAP-5.2-1">, fact.due.has_value(), field::kRdmapControl,
                     expected("a request that waits for it"), actual("none"), why, evidence))
    return false;
  judge.require(rule<"RDMAP-5.2.2-6">, !fact.instead, field::kStag,
                expected([&] { return fmt::format("the response to message {} of the flow", *fact.due + 1); }),
                actual([&] { return fmt::format("that to message {}", *fact.instead + 1); }), why, evidence);
  return true;
}

void check_read_room(Judge& judge, const TerminateFact& fact) {
  if (!fact.is_history_known || !fact.blamed || fact.blamed->came != Came::whole) return;
  const auto& request = fact.blamed->segment;
  if (!request || !request->depth || request->fault_count > 0) return;
  judge.require(rule<"RDMAP-5.2.2-2">, fact.error() != error::kDdpNoBuffer, field::kTerminateControl,
                expected([&] { return fmt::format("room for {} Read Requests", *request->depth); }),
                actual([&] { return to_string(fact.error()); }), "so many were agreed, and no more are outstanding",
                fact.of_received);
}

void check_missing_read_response(Judge& judge, const SilenceFact& fact) {
  judge.at(fact.since);
  judge.advise(rule<"RDMAP-5.2-1">, false, {}, expected("the RDMA Read Response"), actual("none for 100 seconds"),
               [&] { return fmt::format("{} octets of it have come; or the rest was not captured", fact.received); });
}

void check_zero_length_response(Judge& judge, std::uint64_t received, Evidence evidence) {
  judge.require(rule<"RDMAP-5.2.1-13">, received == 0, field::kUlpduLength, expected(0), actual(received),
                "octets of payload", evidence);
}

}  // namespace wirelaw::rdmap
