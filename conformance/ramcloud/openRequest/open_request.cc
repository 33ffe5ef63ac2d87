// SPDX-License-Identifier: Apache-2.0
// "PT_SESSION_OPEN": the request.
#include "conformance/ramcloud/openRequest/open_request.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/openRequest/rules.h"

namespace wirelaw::ramcloud {

void check_open_request(Judge& judge, const PacketFacts& facts) {
  judge.require(rule<"RAMCLOUD-openRequest-1">, facts.message.wire_length == layout::kHeader,
                field::payload(facts.packet), expected("no payload"),
                actual([&] { return fmt::format("{} octets", facts.message.wire_length - layout::kHeader); }),
                "an open request carries nothing after its header");
}

}  // namespace wirelaw::ramcloud
