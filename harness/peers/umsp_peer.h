// SPDX-License-Identifier: Apache-2.0
// The reference's UMSP node as a peer. Its address is the IP address at which it is reached. A node that listens at
// every address of its machine has that of the first connection.
//
// The responder serves: it accepts sessions and work without a session, is a control point for every node that asks,
// and its virtual machine offers what reference/umsp/vm/offered.h lists. It dials nodes that it has to ask at port
// 2110, or at the port that its parameter `port` sets.
//
// The initiator, for each trigger: begins a job, whose control point it is itself or, with the setting "remote-jcp",
// the node that it was triggered for; opens a session there, works in the memory that it is given (as many times as
// asked, with so many octets), closes the session and completes the job. It gives up at the first failure.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/peers/reference_peers.h"

namespace wirelaw::umsp {

extern const ReferencePeer kReferencePeer;

}  // namespace wirelaw::umsp
