// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_constant_header(Judge& judge, const SeenPacket& seen, const HeaderFact& fact);

}  // namespace wirelaw::efa
