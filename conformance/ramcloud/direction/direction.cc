// SPDX-License-Identifier: Apache-2.0
// "flags.direction"
#include "conformance/ramcloud/direction/direction.h"

#include "conformance/ramcloud/direction/rules.h"
#include "conformance/ramcloud/fields.h"

namespace wirelaw::ramcloud {

void check_direction(Judge& judge, const PacketFacts& facts, const DirectionFact& fact) {
  const bool is_server = facts.sender == Role::responder;
  judge.require(is_server ? rule<"RAMCLOUD-direction-1"> : rule<"RAMCLOUD-direction-2">,
                facts.header().flags.direction == is_server, field::kFlags,
                expected([&] { return fmt::format("direction {}", is_server ? 1 : 0); }),
                actual([&] { return fmt::format("direction {}", facts.header().flags.direction ? 1 : 0); }),
                is_server ? "the sender is the server of this session" : "the sender is the client of this session",
                fact.rests_on);
}

}  // namespace wirelaw::ramcloud
