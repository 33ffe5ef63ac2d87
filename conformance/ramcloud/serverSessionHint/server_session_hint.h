// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

void check_server_hint(Judge& judge, const PacketFacts& facts, const Hints& of_session);

}  // namespace wirelaw::ramcloud
