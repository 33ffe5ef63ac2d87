// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

void check_client_hint(Judge& judge, const PacketFacts& facts, const Hints& of_session);
void check_client_hint_in_open_response(Judge& judge, const PacketFacts& facts, bool is_asked_with);

}  // namespace wirelaw::ramcloud
