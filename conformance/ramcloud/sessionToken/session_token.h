// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/ramcloud/tracker/facts.h"

namespace wirelaw::ramcloud {

void check_session_token(Judge& judge, const Header& header, const TokenFact& fact);
void check_new_token(Judge& judge, const PacketFacts& facts, const NewTokenFact& fact);
// The open response of a session once more: with the same bound, or it is another session's.
void check_repeated_response(Judge& judge, const PacketFacts& facts, const RepeatedResponseFact& fact);

}  // namespace wirelaw::ramcloud
