// SPDX-License-Identifier: Apache-2.0
// "payloadType"
#include "conformance/ramcloud/payloadType/payload_type.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/payloadType/rules.h"

namespace wirelaw::ramcloud {

void check_payload_type(Judge& judge, const PacketFacts& facts) {
  const PayloadType type = facts.header().payload_type;
  judge.require(rule<"RAMCLOUD-payloadType-1">, is_assigned(type), field::kFlags, expected("payload type 0, 1, 2 or 4"),
                actual(static_cast<unsigned>(type)), "a reserved payload type was sent");
}

}  // namespace wirelaw::ramcloud
