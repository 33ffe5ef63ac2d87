// SPDX-License-Identifier: Apache-2.0
// A peer with a fault, and beside it the same peer without the fault, which receives the same. When the two first
// differ in what they send, or in their state, the input has reached the fault, whether or not an oracle sees it.
#pragma once

#include "harness/peers/peer.h"

namespace wirelaw::campaign {

// Both peers get the same seed. `differ` becomes true when they differ, and stays so. The honest peer is then left
// alone: what it would receive is what the other one has caused. `differ` outlives the peers.
MakePeer with_twin(MakePeer make_peer, MakePeer make_honest, bool& differ);

}  // namespace wirelaw::campaign
