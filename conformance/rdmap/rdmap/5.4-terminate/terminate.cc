// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 5.4: how a Terminate Message travels, and that it is the last one.
#include "conformance/rdmap/rdmap/terminate_seen.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kSection{"RFC 5040 5.4"};
constexpr Section kAtVerbs = kSection.by(Observable::api);
constexpr Section kNotJudged = kSection.by(Observable::none);

constinit const Rule kUntagged =
    kNotJudged.must("RDMAP-5.4-1", "A Terminate references an untagged buffer: its T bit is clear.",
                    "The row of figure 4 (RFC 5040 4.1) for the Terminate says the same of the same bit and is judged");
constinit const Rule kQueue = kNotJudged.must(
    "RDMAP-5.4-2", "A Terminate is on queue 2.",
    "The row of figure 4 (RFC 5040 4.1) for the Terminate says the same of the same field and is judged");
constinit const Rule kOneBuffer = kNotJudged.must("RDMAP-5.4-3", "One Terminate takes one untagged buffer.",
                                                  "On the wire that is one MSN, which DDP's numbering judges");
constinit const Rule kRoomForATerminate = kSection.must(
    "RDMAP-5.4-4", "There is always a buffer for the one Terminate of a stream, so none is refused for want of it.",
    "RDMAP/A-44");
constinit const Rule kDeliveredToUlp =
    kAtVerbs.must("RDMAP-5.4-6", "RDMAP delivers a Terminate that it receives to the ULP.",
                  "An asynchronous error event of the verbs, or the error of the upper layer, shows it");
constinit const Rule kInvalidSurfaced =
    kAtVerbs.must("RDMAP-5.4-7", "An invalid Terminate is surfaced as an error at its receiver.",
                  "RDMAP/A-43: a local error only; the verbs' error event shows it. A Terminate in reply is taken");
constinit const Rule kOperationsFail =
    kAtVerbs.must("RDMAP-5.4-8",
                  "Operations that have not been passed to DDP when a Terminate is sent or received complete in error.",
                  "The completion queue shows it");
constinit const Rule kNothingAfterIt = kSection.must_not(
    "RDMAP-5.4-9", "After its Terminate a side sends no more messages on that stream.", "RDMAP/A-17, RDMAP/A-44");
constinit const Rule kFirstOfItsQueue = kSection.must(
    "RDMAP-5.4-11", "Since a side sends one Terminate at most, its MSN is 1.",
    "Judged where the capture lacks the beginning or a part; elsewhere DDP's numbering (RFC 5041 4.3) is judged");

constexpr Breach kBreaches[] = {
    {Deviation::terminate_ignored, kDeliveredToUlp, {.given = "verbs"}},
    {Deviation::error_not_surfaced, kDeliveredToUlp, {.given = "pair"}},
    {Deviation::invalid_terminate_ignored, kInvalidSurfaced, {.given = "verbs"}},
    {Deviation::work_not_flushed, kOperationsFail, {.given = "verbs pair"}},
    {Deviation::work_flushed_as_success, kOperationsFail, {.given = "verbs pair"}},
    {Deviation::terminate_twice, kNothingAfterIt},
    {Deviation::sends_after_terminate, kNothingAfterIt},
};

}  // namespace

SectionRules terminate_message_rules() {
  static constexpr const Rule* kRules[] = {&kUntagged,          &kQueue,          &kOneBuffer,
                                           &kRoomForATerminate, &kDeliveredToUlp, &kInvalidSurfaced,
                                           &kOperationsFail,    &kNothingAfterIt, &kFirstOfItsQueue};
  return {kRules, kBreaches};
}

void judge_after_terminate(Judge& judge, Seen& seen) {
  Direction& from = seen.from;
  if (!from.terminate_sent || from.sent_after_terminate) return;
  from.sent_after_terminate = true;
  judge.require(kNothingAfterIt, false, octets(0, seen.fpdu.octets.size()), expected("nothing"),
                actual([&] { return fmt::format("an FPDU of {} octets", seen.fpdu.octets.size()); }),
                [&] { return fmt::format("message {} was a Terminate", from.terminate_index + 1); });
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
