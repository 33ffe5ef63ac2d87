// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_atomic_request(Judge& judge, const SeenPacket& seen, const AtomicFact& fact);

}  // namespace wirelaw::efa
