// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.2, figure 5: which message has a header of its own, and which may carry ULP payload. That the
// others have no header is said again, message by message, in 4.3 and 4.5 to 4.7.
#include "conformance/rdmap/messages.h"

namespace wirelaw::rdmap {
namespace {

constexpr std::string_view kFigure = "RFC 5040 4.2, figure 5";

constinit const Rule kReadRequestHasHeader =
    rdmap_rule("RDMAP-4.2-1", Level::must, kFigure, Observable::trace,
               "An RDMA Read Request has the whole RDMA Read Request Header of 28 octets (figure 6).");
constinit const Rule kReadRequestHasNoPayload =
    rdmap_rule("RDMAP-4.2-2", Level::must_not, kFigure, Observable::trace,
               "An RDMA Read Request carries no ULP message: nothing follows its header.");

}  // namespace

RuleList message_definition_rules() {
  static constinit const Rule kTerminateHasHeader =
      rdmap_rule("RDMAP-4.2-3", Level::must, kFigure, Observable::none, "A Terminate has a Terminate Header.",
                 "judged by RDMAP-4.8-1");
  static constinit const Rule kTerminateHasNoPayload =
      rdmap_rule("RDMAP-4.2-4", Level::must_not, kFigure, Observable::none, "A Terminate carries no ULP message.",
                 "A-04: what follows its header is judged by RDMAP-7.1-2");
  static constexpr const Rule* kRules[] = {&kReadRequestHasHeader, &kReadRequestHasNoPayload, &kTerminateHasHeader,
                                           &kTerminateHasNoPayload};
  return kRules;
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
  if (judge.require(kReadRequestHasHeader, octets >= layout::kReadRequest, where, expected("28 octets"), actual(octets),
                    "the message ends inside the header"))
    judge.require(kReadRequestHasNoPayload, octets == layout::kReadRequest, where, expected("28 octets"),
                  actual(octets));
}

}  // namespace wirelaw::rdmap
