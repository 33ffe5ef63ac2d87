// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.2, figure 5: which message has a header of its own, and which may carry ULP payload. Sections 4.3
// and 4.5 to 4.7 repeat for each other message that it has no header.
#include "conformance/rdmap/rdmap/4.2-message-definitions/rules.h"
#include "conformance/rdmap/rdmap/messages.h"

namespace wirelaw::rdmap {

void judge_message_format(Judge& judge, Seen& seen) {
  if (!seen.is(Opcode::read_request) || !seen.header.last || !is_as_its_opcode_demands(seen)) return;
  // The length of the message, in one segment or in several.
  const std::uint64_t octets = seen.header.mo + seen.payload.size();
  const OctetRange where = field::rdmap(seen.header, 0, seen.payload.size());
  if (octets != layout::kReadRequest) {
    seen.blame(error::kMpaMarker);
    seen.blame(error::kOperationUnspecified);
    seen.blame(error::kDdpTooLong);
  }
  // If its first octets are missing (DDP-4.3-11), its length is not known.
  const OpenMessage& message = seen.from.queues[kReadRequestQueue].message;
  if (message.joined || message.octets != octets) return;
  if (judge.require(rule<"RDMAP-4.2-1">, octets >= layout::kReadRequest, where, expected("28 octets"), actual(octets),
                    "the message ends inside the header"))
    judge.require(rule<"RDMAP-4.2-2">, octets == layout::kReadRequest, where, expected("28 octets"), actual(octets));
}

}  // namespace wirelaw::rdmap
