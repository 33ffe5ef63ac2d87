// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

void check_session_token(Judge& judge, const Header& header, const TokenFact& fact);
void check_new_token(Judge& judge, const PacketFacts& facts, const NewTokenFact& fact);

}  // namespace wirelaw::ramcloud
