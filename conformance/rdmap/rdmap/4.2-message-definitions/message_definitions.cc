// SPDX-License-Identifier: Apache-2.0
// RFC 5040, section 4.2, figure 5: which message has a header of its own, and which may carry ULP payload. Sections 4.3
// and 4.5 to 4.7 repeat for each other message that it has no header.
#include "conformance/rdmap/rdmap/4.2-message-definitions/rules.h"
#include "conformance/rdmap/rdmap/messages.h"

namespace wirelaw::rdmap {

void check_read_request_length(Judge& judge, const SegmentFacts& segment, std::uint64_t octets) {
  const OctetRange where = field::rdmap(segment.header, 0, segment.payload.size());
  if (judge.require(rule<"RDMAP-4.2-1">, octets >= layout::kReadRequest, where, expected("28 octets"), actual(octets),
                    "the message ends inside the header"))
    judge.require(rule<"RDMAP-4.2-2">, octets == layout::kReadRequest, where, expected("28 octets"), actual(octets));
}

}  // namespace wirelaw::rdmap
