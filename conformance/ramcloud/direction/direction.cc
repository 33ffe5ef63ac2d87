// SPDX-License-Identifier: Apache-2.0
// "flags.direction"
#include "conformance/ramcloud/direction/direction.h"

#include "conformance/ramcloud/direction/rules.h"
#include "conformance/ramcloud/fields.h"

namespace wirelaw::ramcloud {

void judge_direction(Judge& judge, const Seen& seen, Evidence evidence) {
  const bool is_server = seen.sender == Role::responder;
  judge.require(is_server ? rule<"RAMCLOUD-direction-1"> : rule<"RAMCLOUD-direction-2">,
                seen.header().flags.direction == is_server, field::kFlags,
                expected([&] { return fmt::format("direction {}", is_server ? 1 : 0); }),
                actual([&] { return fmt::format("direction {}", seen.header().flags.direction ? 1 : 0); }),
                is_server ? "the sender is the server of this session" : "the sender is the client of this session",
                evidence);
}

}  // namespace wirelaw::ramcloud
