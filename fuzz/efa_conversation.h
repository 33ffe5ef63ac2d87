// SPDX-License-Identifier: Apache-2.0
// A conversation of one EFA RDM endpoint with a scripted peer. Oracles: the endpoint breaks no rule, keeps to its
// limits, sends whole packets of at most its MTU, ends each call once, and becomes idle when the peer stops answering.
#pragma once

#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// `calls`: the endpoint's application makes calls; else it only posts receives and answers.
void run_efa_conversation(Octets input, bool calls);

}  // namespace wirelaw::fuzz
