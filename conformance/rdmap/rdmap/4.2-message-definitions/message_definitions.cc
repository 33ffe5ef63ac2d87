// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.2, figure 5: which message has a header of its own, and which may carry ULP payload. That the
// others have no header is said again, message by message, in 4.3 and 4.5 to 4.7.
#include "conformance/rdmap/rdmap/messages.h"
#include "conformance/section.h"

namespace wirelaw::rdmap {
namespace {

constexpr Section kFigure{"RFC 5040 4.2, figure 5"};
constexpr Section kFigureNotJudged = kFigure.by(Observable::none);

constinit const Rule kReadRequestHasHeader =
    kFigure.must("RDMAP-4.2-1", "An RDMA Read Request has the whole RDMA Read Request Header of 28 octets (figure 6).");
constinit const Rule kReadRequestHasNoPayload =
    kFigure.must_not("RDMAP-4.2-2", "An RDMA Read Request carries no ULP message: nothing follows its header.");
constinit const Rule kTerminateHasHeader =
    kFigureNotJudged.must("RDMAP-4.2-3", "A Terminate has a Terminate Header.", "judged by RDMAP-4.8-1");
constinit const Rule kTerminateHasNoPayload =
    kFigureNotJudged.must_not("RDMAP-4.2-4", "A Terminate carries no ULP message.",
                              "RDMAP/A-04: what follows its header is judged by RDMAP-7.1-2");

constexpr Breach kBreaches[] = {
    {Deviation::read_request_short, kReadRequestHasHeader, {.given = "verbs"}},
    {Deviation::read_request_short, kReadRequestHasHeader, {.who = wirelaw::Role::initiator}},
    {Deviation::read_request_long, kReadRequestHasNoPayload, {.given = "verbs"}},
    {Deviation::read_request_long, kReadRequestHasNoPayload, {.who = wirelaw::Role::initiator}},
};

}  // namespace

SectionRules message_definition_rules() {
  static constexpr const Rule* kRules[] = {&kReadRequestHasHeader, &kReadRequestHasNoPayload, &kTerminateHasHeader,
                                           &kTerminateHasNoPayload};
  return {kRules, kBreaches};
}

void judge_message_format(Judge& judge, Seen& seen) {
  if (!seen.is(Opcode::read_request) || !seen.header.last || !is_as_its_opcode_demands(seen)) return;
  // The length of the message, be it in one segment or in several.
  const std::uint64_t octets = seen.header.mo + seen.payload.size();
  const OctetRange where = field::rdmap(seen, 0, seen.payload.size());
  if (octets != layout::kReadRequest) {
    seen.blame(error::kMpaMarker);
    seen.blame(error::kOperationUnspecified);
    seen.blame(error::kDdpTooLong);
  }
  // Where octets in front are not there (DDP-4.3-11), its length is not known.
  const OpenMessage& message = seen.from.queues[kReadRequestQueue].message;
  if (message.joined || message.octets != octets) return;
  if (judge.require(kReadRequestHasHeader, octets >= layout::kReadRequest, where, expected("28 octets"), actual(octets),
                    "the message ends inside the header"))
    judge.require(kReadRequestHasNoPayload, octets == layout::kReadRequest, where, expected("28 octets"),
                  actual(octets));
}

}  // namespace wirelaw::rdmap
