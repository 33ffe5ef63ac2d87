// SPDX-License-Identifier: Apache-2.0
// "PT_SESSION_OPEN" and "Session Open Response Payload Format": the response.
#include "conformance/ramcloud/openResponse/open_response.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/openResponse/rules.h"

namespace wirelaw::ramcloud {

void check_open_response(Judge& judge, const PacketFacts& facts, const OpenResponseFact& fact) {
  judge.require(rule<"RAMCLOUD-openResponse-4">, fact.is_asked_for, field::kFlags,
                expected("an open request before it"), actual("none in this flow"),
                "an open response that nobody asked for; or the open request was not captured");
  const std::size_t payload = facts.message.wire_length - layout::kHeader;
  if (!judge.require(rule<"RAMCLOUD-openResponse-1">, payload >= layout::kOpenResponse, octets(layout::kHeader, 0),
                     expected("one octet of payload"), actual("none"), "maxChannelId is missing"))
    return;
  judge.require(rule<"RAMCLOUD-openResponse-2">, payload == layout::kOpenResponse, field::payload(facts.packet),
                expected("one octet of payload"), actual([&] { return fmt::format("{} octets", payload); }),
                "octets after maxChannelId");
}

}  // namespace wirelaw::ramcloud
