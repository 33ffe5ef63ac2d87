// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.4: how a Terminate Message travels, and that it is the last one.
#include "conformance/rdmap/terminate_seen.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kSection = "RFC 5040 5.4";
constexpr Rule rule(std::string_view id, Level level, Observable observable, std::string_view summary,
                    std::string_view note = {}) {
  return {id, level, Role::any, kSection, observable, summary, note};
}

constinit const Rule kRoomForATerminate =
    rule("RDMAP-5.4-4", Level::must, Observable::trace,
         "There is always a buffer for the one Terminate of a stream, so none is refused for want of it.", "A-44");
constinit const Rule kNothingAfterIt =
    rule("RDMAP-5.4-9", Level::must_not, Observable::trace,
         "After its Terminate a side sends no more messages on that stream.", "A-17, A-44");
constinit const Rule kFirstOfItsQueue =
    rule("RDMAP-5.4-11", Level::must, Observable::trace, "Since a side sends one Terminate at most, its MSN is 1.",
         "Judged where the capture lacks the beginning or a part; elsewhere DDP's numbering (RFC 5041 4.3) is judged");

}  // namespace

RuleList terminate_message_rules() {
  static constinit const Rule kUntagged = rule(
      "RDMAP-5.4-1", Level::must, Observable::none, "A Terminate references an untagged buffer: its T bit is clear.",
      "The row of figure 4 (RFC 5040 4.1) for the Terminate says the same of the same bit and is judged");
  static constinit const Rule kQueue =
      rule("RDMAP-5.4-2", Level::must, Observable::none, "A Terminate is on queue 2.",
           "The row of figure 4 (RFC 5040 4.1) for the Terminate says the same of the same field and is judged");
  static constinit const Rule kOneBuffer =
      rule("RDMAP-5.4-3", Level::must, Observable::none, "One Terminate takes one untagged buffer.",
           "On the wire that is one MSN, which DDP's numbering judges");
  static constinit const Rule kDeliveredToUlp =
      rule("RDMAP-5.4-6", Level::must, Observable::api, "RDMAP delivers a Terminate that it receives to the ULP.",
           "An asynchronous error event of the verbs, or the error of the upper layer, shows it");
  static constinit const Rule kInvalidSurfaced =
      rule("RDMAP-5.4-7", Level::must, Observable::api, "An invalid Terminate is surfaced as an error at its receiver.",
           "A-43: a local error only; the verbs' error event shows it. A Terminate in reply is taken");
  static constinit const Rule kOperationsFail =
      rule("RDMAP-5.4-8", Level::must, Observable::api,
           "Operations that have not been passed to DDP when a Terminate is sent or received complete in error.",
           "The completion queue shows it");
  static constexpr const Rule* kRules[] = {&kUntagged,          &kQueue,          &kOneBuffer,
                                           &kRoomForATerminate, &kDeliveredToUlp, &kInvalidSurfaced,
                                           &kOperationsFail,    &kNothingAfterIt, &kFirstOfItsQueue};
  return kRules;
}

void judge_after_terminate(Judge& judge, Seen& seen) {
  Direction& from = seen.from;
  if (!from.terminate_sent || from.sent_after_terminate) return;
  from.sent_after_terminate = true;
  judge.require(kNothingAfterIt, false, octets(0, seen.fpdu.octets.size()), expected("nothing"),
                actual([&] { return fmt::format("an FPDU of {} octets", seen.fpdu.octets.size()); }),
                [&] { return fmt::format("message {} was a Terminate", from.terminate_index); });
}

void judge_terminate_room(Judge& judge, const TerminateSeen& seen) {
  if (!seen.blamed || !seen.blamed->is(Opcode::terminate)) return;
  const ErrorCode error = seen.error();
  const bool refused = error == error::kDdpNoBuffer || error == error::kDdpTooLong;
  judge.require(kRoomForATerminate, !refused || seen.blamed->header.msn != ddp::kFirstMsn, seen.control(),
                expected("room for one Terminate"), actual([&] { return to_string(error); }));
}

void judge_single_terminate(Judge& judge, const Seen& seen) {
  if (seen.connection.partial.empty() || seen.from.terminate_sent || seen.header.qn != kTerminateQueue) return;
  judge.require(kFirstOfItsQueue, seen.header.msn == ddp::kFirstMsn, field::kMsn, expected(ddp::kFirstMsn),
                actual(seen.header.msn), "no other Terminate can have been sent before");
}

// The direction has ended, and nothing has followed its Terminate.
void judge_last_message(Judge& judge, const Direction& from) {
  if (from.terminate_sent && !from.sent_after_terminate)
    judge.require(kNothingAfterIt, true, {}, expected("nothing"), actual("nothing"));
}

}  // namespace wirelaw::rdmap
