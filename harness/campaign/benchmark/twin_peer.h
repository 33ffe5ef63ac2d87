// SPDX-License-Identifier: Apache-2.0
// A peer with a fault, and the same peer without it, which receives the same octets. When the two first differ in what
// they send, or in their state, the input has reached the fault, whether or not an oracle sees it.
#pragma once

#include "harness/peers/peer.h"

namespace wirelaw::campaign {

// Both peers get the same seed. `differ` becomes true when they differ, and stays so. From then on the honest peer gets
// nothing, since its input would depend on the other one. `differ` outlives the peers.
MakePeer with_twin(MakePeer make_peer, MakePeer make_honest, bool& differ);

}  // namespace wirelaw::campaign
