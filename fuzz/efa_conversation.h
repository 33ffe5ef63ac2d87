// SPDX-License-Identifier: Apache-2.0
// A conversation of one EFA RDM endpoint with a peer that a script plays. Oracles: the endpoint breaks no rule, keeps
// to its bounds, sends whole packets of at most its MTU, ends each call once, and comes to rest when nothing answers
// any more.
#pragma once

#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// `calls`: the endpoint's application is a requester; else it only posts receives, and answers.
void run_efa_conversation(Octets input, bool calls);

}  // namespace wirelaw::fuzz
