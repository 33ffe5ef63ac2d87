// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

void check_eager_message(Judge& judge, const SeenPacket& seen, const MessageFact& fact);

}  // namespace wirelaw::efa
